import Foundation
package import LockstepJSON

/// YAML in one line, for values that are read back as they are.
package enum YAMLText {
    /// A value in flow style: `{ type: bool, default: false }`. The members of a mapping are sorted, its type first.
    package static func flow(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .double(let number): return quoted(number.description)
        case .decimal(let number): return quoted(number.description)
        case .string(let text): return scalar(text)
        case .array(let elements): return "[" + elements.map(flow).joined(separator: ", ") + "]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let first = ["type", "to"]
            let others = members.sortedMembers.map(\.key).filter { !first.contains($0) }
            let keys = first.filter { members[$0] != nil } + others
            let parts = keys.map { "\(scalar($0)): \(flow(members[$0] ?? .null))" }
            return "{ " + parts.joined(separator: ", ") + " }"
        }
    }

    /// A tree in flow style.
    package static func flow(_ node: Node) -> String {
        var text = ""
        write(node, to: &text)
        return text
    }

    /// Writes an entry of a mapping in flow style.
    package static func write(_ entry: Node.Entry, to text: inout String) {
        write(entry.key, to: &text)
        text += ": "
        write(entry.value, to: &text)
    }

    private static func write(_ node: Node, to text: inout String) {
        switch node.content {
        case .scalar(let scalar, let isPlain): text += isPlain ? scalar : quoted(scalar)
        case .sequence(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                write(element, to: &text)
            }
            text += "]"
        case .mapping(let entries) where entries.isEmpty: text += "{}"
        case .mapping(let entries):
            text += "{ "
            for (index, entry) in entries.enumerated() {
                if index > 0 { text += ", " }
                write(entry, to: &text)
            }
            text += " }"
        }
    }

    /// A text, in quotes if it would be read as something else without them.
    package static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    /// Whether a plain scalar is this text.
    package static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            isWord(first) || first == "/", last != " ", PlainScalar(text) == .text
        else { return false }
        return text.unicodeScalars.dropFirst().allSatisfy {
            isWord($0) || " -./+@".unicodeScalars.contains($0)
                || $0 == "?" && text.last == "?" && !text.dropLast().contains("?")
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
            default: result += escape(scalar.value)
            }
        }
        return result + "\""
    }

    /// Whether YAML allows a character in a line; invisible characters are excluded.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: true
        case 0xA1...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
            !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace
        default: false
        }
    }

    private static func escape(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        let (letter, count) = value > 0xFFFF ? ("U", 8) : ("u", 4)
        return "\\" + letter + String(repeating: "0", count: count - digits.count) + digits
    }
}

/// The value that a plain scalar of a history file is read as.
enum PlainScalar: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case text

    init(_ text: String) {
        switch text {
        case "", "null", "~": self = .null
        case "true": self = .bool(true)
        case "false": self = .bool(false)
        default:
            // A number that is written in any other way is a text: `007`, `+1`, `1.0`.
            if let number = Int64(text), String(number) == text {
                self = .integer(number)
            } else {
                self = .text
            }
        }
    }
}
