public import Foundation

extension JSONValue {
    /// Reads a JSON text (RFC 8259) in UTF-8. It may begin with a byte-order mark.
    ///
    /// Where an object has a key twice, the last value counts. Whole numbers are exact to 64 bits, others to 38 digits;
    /// beyond that it is the nearest `Double`, and what is smaller than the smallest is 0. `-0` is 0.
    ///
    /// ```swift
    /// try JSONValue(json: Data(#"{"price": 9.95}"#.utf8))     // .object(["price": .decimal(9.95)])
    /// ```
    ///
    /// - Throws: `JSONSyntaxError` where the bytes are not JSON, or hold a number beyond the greatest `Double`.
    public init(json: Data) throws(JSONSyntaxError) {
        let result = json.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(JSONSyntaxError) in try JSONValue(document: bytes) }
            }
        }
        self = try result.get()
    }

    /// Reads a JSON text, as `init(json:)` does. Offsets count the bytes of its UTF-8.
    ///
    /// - Throws: `JSONSyntaxError` where the text is not JSON, or holds a number beyond the greatest `Double`.
    public init(parsing text: String) throws(JSONSyntaxError) {
        var text = text
        let result = text.withUTF8 { bytes in Result { () throws(JSONSyntaxError) in try JSONValue(document: bytes) } }
        self = try result.get()
    }

    /// Reads bytes that are one value and nothing else.
    private init(document bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes)
        self = try JSONValue(&scanner)
        try scanner.finish()
    }

    /// Takes the value that is next: a record inside of a payload. However deep it is, it takes little of the stack.
    ///
    /// Where it throws `numberTooGreat`, the bytes may be JSON all the same: whoever wants to go on moves back and
    /// skips the value.
    package init(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        var containers: [OpenContainer] = []
        while true {
            guard var value = try Self.begin(&scanner, &containers) else { continue }
            while true {
                guard let innermost = containers.indices.last else {
                    self = value
                    return
                }
                containers[innermost].add(value)
                guard try containers[innermost].isClosed(&scanner) else { break }
                value = containers.removeLast().value
            }
        }
    }

    /// Takes a value, or the beginning of an array or object that has members, for which it gives `nil`.
    private static func begin(
        _ scanner: inout JSONScanner, _ containers: inout [OpenContainer]
    ) throws(JSONSyntaxError) -> JSONValue? {
        switch scanner.peek() {
        case UInt8(ascii: "{"):
            try scanner.open(UInt8(ascii: "{"))
            if try scanner.isClosed(UInt8(ascii: "}"), isFirst: true) { return .object([:]) }
            containers.append(OpenContainer(key: try scanner.key().string))
            return nil
        case UInt8(ascii: "["):
            try scanner.open(UInt8(ascii: "["))
            if try scanner.isClosed(UInt8(ascii: "]"), isFirst: true) { return .array([]) }
            containers.append(OpenContainer(key: nil))
            return nil
        case UInt8(ascii: "\""): return try .string(scanner.text().string)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return try .bool(scanner.bool())
        case UInt8(ascii: "n"):
            _ = try scanner.null()
            return .null
        default: return try number(&scanner)
        }
    }

    private static func number(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> JSONValue {
        let number = try scanner.number()
        if let integer = number.integer { return .integer(integer) }
        if let value = shortNumber(number) { return value }
        guard let value = StoredJSON.number(String(decoding: number.bytes, as: UTF8.self)) else {
            throw JSONSyntaxError(.numberTooGreat, at: scanner.offset - number.bytes.count)
        }
        return value
    }
    /// A number that has few digits, and is not far from the point: almost any. Foundation takes long to read them.
    private static func shortNumber(_ number: JSONScanner.Number) -> JSONValue? {
        guard let text = NumberDigits(number.bytes), text.isExact, abs(text.exponent) <= 60 else { return nil }
        if let whole = text.wholeNumber { return .integer(whole) }
        let significand = Decimal(text.significand)
        return .decimal(
            Decimal(sign: text.isNegative ? .minus : .plus, exponent: text.exponent, significand: significand))
    }
}

/// An array or object whose end has not come yet.
private struct OpenContainer {
    private var elements: [JSONValue] = []
    private var members: [String: JSONValue] = [:]
    /// The key of the member that comes next; `nil` in an array.
    private var key: String?

    init(key: String?) { self.key = key }

    var value: JSONValue { key == nil ? .array(elements) : .object(members) }

    mutating func add(_ value: JSONValue) {
        if let key { members[key] = value } else { elements.append(value) }
    }

    /// Takes what follows a member: the end, or the comma and, in an object, the next key.
    mutating func isClosed(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Bool {
        guard key != nil else { return try scanner.isClosed(UInt8(ascii: "]"), isFirst: false) }
        if try scanner.isClosed(UInt8(ascii: "}"), isFirst: false) { return true }
        key = try scanner.key().string
        return false
    }
}
