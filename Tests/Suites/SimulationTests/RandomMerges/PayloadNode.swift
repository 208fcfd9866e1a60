import LockstepStore
import TestSupport

/// A JSON value of a payload, with its text and its meaning: it does not have to be parsed.
indirect enum PayloadNode: Sendable {
    /// The meaning of this text for its column.
    case value(json: String, stored: DatabaseValue)
    /// A value that no column at its position can store.
    case invalid(json: String)
    case null
    case list([PayloadNode])
    case object(PayloadObject)

    /// Whether it is neither null nor a list nor an object.
    var isScalar: Bool {
        switch self {
        case .value, .invalid: true
        case .null, .list, .object: false
        }
    }

    /// The JSON text, with random whitespace.
    func text(_ random: inout SeededRandom) -> String {
        switch self {
        case .value(let json, _), .invalid(let json): return json
        case .null: return "null"
        case .list(let elements):
            return "[" + elements.map { space(&random) + $0.text(&random) }.joined(separator: ",") + "]"
        case .object(let object):
            let members = object.members.map { member in
                space(&random) + spelling(of: member.key, &random) + ":" + space(&random) + member.value.text(&random)
            }
            return "{" + members.joined(separator: ",") + space(&random) + "}"
        }
    }

    private func space(_ random: inout SeededRandom) -> String {
        random.isOne(in: 4) ? random.element(of: [" ", "\n", "\t", "\r\n  ", "   "]) : ""
    }
}

/// An object of a payload: keys as they are written, and their meanings.
struct PayloadObject: Sendable {
    struct Member: Sendable {
        /// The key as written.
        var key: String
        /// The key of the description; `nil` if there is none.
        var meaning: String?
        var value: PayloadNode
    }

    var members: [Member] = []

    /// The value at a path of the description's keys; `nil` if there is none.
    subscript(path: [String]) -> PayloadNode? {
        guard let member = members.last(where: { $0.meaning == path[0] }) else { return nil }
        guard path.count > 1 else { return member.value }
        switch member.value {
        case .object(let object): return object[Array(path.dropFirst())]
        case .null: return .null
        default: return nil
        }
    }

    /// The position of a path's value in the reading order, to be compared with others: the order of the text, but
    /// values under another spelling of their key come last. Empty if there is no value.
    func place(of path: [String]) -> [Int] {
        guard let first = path.first, let index = members.lastIndex(where: { $0.meaning == first }) else { return [] }
        let place = [members[index].key == first ? 0 : 1, index]
        guard path.count > 1, case .object(let object) = members[index].value else { return place }
        return place + object.place(of: Array(path.dropFirst()))
    }

    /// Sets a value at a path, creating the objects of the path.
    mutating func put(_ value: PayloadNode, at path: [String]) {
        guard path.count > 1 else {
            members.append(Member(key: path[0], meaning: path[0], value: value))
            return
        }
        let index =
            members.firstIndex { $0.meaning == path[0] }
            ?? {
                members.append(Member(key: path[0], meaning: path[0], value: .object(PayloadObject())))
                return members.count - 1
            }()
        guard case .object(var inner) = members[index].value else { return }
        inner.put(value, at: Array(path.dropFirst()))
        members[index].value = .object(inner)
    }
}

/// A text as a JSON string, with random escapes.
func spelling(of text: String, _ random: inout SeededRandom) -> String {
    let isEscaped = random.isOne(in: 3)
    var json = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": json += "\\\""
        case "\\": json += "\\\\"
        case "\n": json += isEscaped ? "\\u000A" : "\\n"
        case "/": json += isEscaped ? "\\/" : "/"
        case _ where scalar.value < 0x20: json += unicodeEscape(scalar.value)
        case _ where isEscaped && (scalar.value > 0x7F || random.isOne(in: 6)):
            json += String(scalar).utf16.map { unicodeEscape(UInt32($0)) }.joined()
        default: json.unicodeScalars.append(scalar)
        }
    }
    return json + "\""
}

private func unicodeEscape(_ unit: UInt32) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
