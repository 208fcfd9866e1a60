public import Foundation
public import LockstepStore

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

    /// Takes the value that is next: a record inside of a payload.
    ///
    /// Where it throws `numberTooGreat`, the bytes may be JSON all the same: whoever wants to go on moves back and
    /// skips the value.
    init(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        switch scanner.peek() {
        case UInt8(ascii: "{"): self = try .object(Self.members(&scanner))
        case UInt8(ascii: "["): self = try .array(Self.elements(&scanner))
        case UInt8(ascii: "\""): self = try .string(scanner.text().string)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = try .bool(scanner.bool())
        case UInt8(ascii: "n"):
            _ = try scanner.null()
            self = .null
        default: self = try Self.number(&scanner)
        }
    }

    private static func members(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try scanner.open(UInt8(ascii: "{"))
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: members.isEmpty) {
            let key = try scanner.key().string
            members[key] = try JSONValue(&scanner)
        }
        return members
    }

    private static func elements(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try scanner.open(UInt8(ascii: "["))
        while try !scanner.isClosed(UInt8(ascii: "]"), isFirst: elements.isEmpty) {
            elements.append(try JSONValue(&scanner))
        }
        return elements
    }

    private static func number(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> JSONValue {
        let number = try scanner.number()
        if let integer = number.integer { return .integer(integer) }
        if let decimal = number.shortDecimal { return decimal.wholeNumber.map(JSONValue.integer) ?? .decimal(decimal) }
        guard let value = JSONText.number(String(decoding: number.bytes, as: UTF8.self)) else {
            throw JSONSyntaxError(.numberTooGreat, at: scanner.offset - number.bytes.count)
        }
        return value
    }
}
