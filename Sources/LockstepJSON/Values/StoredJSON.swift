import Foundation

/// JSON text in a column, with a canonical encoding and exact numbers.
package enum StoredJSON {
    /// More deeply nested values are rejected, since they could exceed the stack.
    package static let depthLimit = 256

    /// The maximum depth of a text: a list of JSON contains values of the maximum depth.
    package static let textDepthLimit = depthLimit + 1

    /// The value as JSON text: keys sorted, no spaces, control characters by their numbers.
    package static func text(of value: JSONValue) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses the text; `nil` if it is not JSON, is nested too deeply, or has a number that no type can store.
    package static func value(from text: String) -> JSONValue? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = JSONScanner(bytes, depthLimit: textDepthLimit)
            guard let value = try? JSONValue(&scanner), scanner.isAtEnd(), !scanner.hasGreatNumber else { return nil }
            return value
        }
    }

    /// The number in the narrowest case that represents it exactly; `nil` if the text is not a number.
    package static func number(_ text: String) -> JSONValue? {
        guard let shape = NumberShape(text.utf8) else { return nil }
        if shape.isWholeAsWritten, let value = Int64(text) { return .integer(value) }
        if let value = Decimal(exactly: text) { return JSONValue.decimal(value).canonical }
        guard let value = Double(text), value.isFinite else { return nil }
        return .double(value)
    }

    private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .decimal(let value): bytes.append(contentsOf: (value.storedText ?? "null").utf8)
        case .double(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): append(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sortedMembers.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
