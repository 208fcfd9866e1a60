public import Foundation

extension JSONValue {
    /// Parses a JSON text (RFC 8259) in UTF-8. It may begin with a byte-order mark.
    ///
    /// If an object has a key twice, the last value is used. Integers are exact up to 64 bits, other numbers up to 38
    /// digits; beyond that, the nearest `Double` is used, which is infinite for a number beyond the greatest, and 0 for
    /// one below the smallest. `-0` is 0.
    ///
    /// ```swift
    /// try JSONValue(json: Data(#"{"price": 9.95}"#.utf8))     // .object(["price": .decimal(9.95)])
    /// ```
    ///
    /// - Throws: `JSONSyntaxError` if the bytes are not valid JSON.
    public init(json: Data) throws(JSONSyntaxError) {
        let result = json.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(JSONSyntaxError) in try JSONValue(document: bytes) }
            }
        }
        self = try result.get()
    }

    /// Parses a JSON text, as `init(json:)` does. Offsets count the bytes of its UTF-8.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not valid JSON.
    public init(parsing text: String) throws(JSONSyntaxError) {
        var text = text
        let result = text.withUTF8 { bytes in Result { () throws(JSONSyntaxError) in try JSONValue(document: bytes) } }
        self = try result.get()
    }

    /// Parses bytes that are one value and nothing else.
    private init(document bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes)
        self = try JSONValue(&scanner)
        try scanner.finish()
    }

    /// Parses the next value, for example a record in a payload. It does not use recursion.
    package init(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        var containers: [OpenContainer] = []
        while true {
            guard var value = try Self.begin(&scanner, containers: &containers) else { continue }
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

    /// Parses a value, or the beginning of an array or object with members, for which it returns `nil`.
    private static func begin(
        _ scanner: inout JSONScanner, containers: inout [OpenContainer]
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
        if let value = StoredJSON.number(String(decoding: number.bytes, as: UTF8.self)) { return value }
        // Nobody may ever read it; what does finds that no type can store it.
        scanner.hasGreatNumber = true
        return .double(number.bytes.first == UInt8(ascii: "-") ? -.infinity : .infinity)
    }

    /// A number that has few digits and a small exponent, as nearly all have. Foundation takes long to parse them.
    private static func shortNumber(_ number: JSONScanner.Number) -> JSONValue? {
        guard let text = NumberDigits(number.bytes), text.isExact, abs(text.exponent) <= 60 else { return nil }
        if let whole = text.wholeNumber { return .integer(whole) }
        let significand = Decimal(text.significand)
        return .decimal(
            Decimal(sign: text.isNegative ? .minus : .plus, exponent: text.exponent, significand: significand))
    }
}

/// An array or object that is not complete yet.
private struct OpenContainer {
    private var elements: [JSONValue] = []
    private var members = JSONObject()
    /// The key of the next member; `nil` in an array.
    private var key: String?

    init(key: String?) { self.key = key }

    var value: JSONValue { key == nil ? .array(elements) : .object(members) }

    mutating func add(_ value: JSONValue) {
        if let key { members[key] = value } else { elements.append(value) }
    }

    /// Scans what follows a member: the end, or the comma and, in an object, the next key.
    mutating func isClosed(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Bool {
        guard key != nil else { return try scanner.isClosed(UInt8(ascii: "]"), isFirst: false) }
        if try scanner.isClosed(UInt8(ascii: "}"), isFirst: false) { return true }
        key = try scanner.key().string
        return false
    }
}
