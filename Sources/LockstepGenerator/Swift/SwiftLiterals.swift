import LockstepJSON
import LockstepSchema

/// Swift literals for values of a schema.
package enum SwiftLiteral {
    /// A string literal with its quotes, for any text.
    package static func string(_ text: String) -> String {
        // Nearly all are names and keys.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        {
            return "\"\(text)\""
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0": result += "\\0"
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace && scalar != " ":
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The lines of a JSON text as a raw literal, to be put after an equals sign.
    static func json(_ text: String) -> Code {
        let text = text.visibleJSON
        let delimiter = String(repeating: "#", count: max(1, poundSigns(for: text)))
        return """
            \(delimiter)\"""
                \(Code(linesInLiteral: text))
                \"""\(delimiter)
            """
    }

    /// The number of `#` that a literal needs so that nothing in the text is an escape or ends it.
    private static func poundSigns(for text: String) -> Int {
        var count = 0
        var quotesInARow = 0
        // The `#` since what would be an escape or an end without them.
        var run: Int?
        for byte in text.utf8 {
            quotesInARow = byte == UInt8(ascii: "\"") ? quotesInARow + 1 : 0
            if byte == UInt8(ascii: "\\") || quotesInARow >= 3 {
                run = 0
            } else {
                run = byte == UInt8(ascii: "#") ? run.map { $0 + 1 } : nil
            }
            count = max(count, run.map { $0 + 1 } ?? 0)
        }
        return count
    }

    /// A list of string literals: `["image", "url"]`.
    static func strings(_ texts: [String]) -> String {
        "[" + texts.map(string).joined(separator: ", ") + "]"
    }
}

extension SwiftScope {
    /// The expression for a default value of type `type`.
    func expression(_ value: DefaultValue, as type: AttributeType) -> String {
        if case .custom(let name) = type {
            return "\(name)(stored: \(expression(value, as: .scalar(customType(name).stored))))"
        }
        let literals = runtime("SchemaLiteral")
        switch value {
        case .string(let text): return SwiftLiteral.string(text)
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .double(let number): return number.description
        case .decimal(let digits):
            return Int32(digits) != nil ? digits : "\(literals).decimal(\(SwiftLiteral.string(digits)))"
        case .date(let seconds): return "\(foundation("Date"))(timeIntervalSince1970: \(seconds.description))"
        case .day(let text): return "\(literals).day(\(SwiftLiteral.string(text)))"
        case .uuid(let text): return "\(literals).uuid(\(SwiftLiteral.string(text)))"
        case .url(let text): return "\(literals).url(\(SwiftLiteral.string(text)))"
        case .data(let bytes): return bytes.isEmpty ? "\(foundation("Data"))()" : "\(foundation("Data"))(\(bytes))"
        case .json(let text): return "\(literals).json(\(SwiftLiteral.string(text)))"
        case .enumerationCase(let name): return "." + caseName(name, of: type)
        case .now: return "\(foundation("Date"))()"
        case .newUUID: return "\(foundation("UUID"))()"
        case .list(let values):
            guard case .list(let element) = type else { return "[]" }
            return "[" + values.map { expression($0, as: element) }.joined(separator: ", ") + "]"
        }
    }

    private func caseName(_ name: String, of type: AttributeType) -> String {
        guard case .enumeration(let enumerationName) = type else { return name }
        return enumeration(enumerationName).cases.first { $0.name == name }?.swiftName ?? name
    }
}
