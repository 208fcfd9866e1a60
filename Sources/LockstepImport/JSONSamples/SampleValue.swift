import LockstepJSON

/// A value of a sample, with its line. Members keep their order.
struct SampleValue {
    let content: Content
    /// From 1.
    let line: Int

    enum Content {
        case null
        case bool(Bool)
        /// A number, and whether it is written without a fraction and an exponent.
        case number(JSONValue, isWhole: Bool)
        case text(String)
        case list([SampleValue])
        case object([SampleMember])
    }

    var members: [SampleMember]? { if case .object(let members) = content { members } else { nil } }

    /// An object with a text in front of its members.
    func adding(_ key: String, text: String) -> SampleValue {
        let member = SampleMember(key: key, value: SampleValue(content: .text(text), line: line))
        return SampleValue(content: .object([member] + (members ?? [])), line: line)
    }

    var elements: [SampleValue]? { if case .list(let elements) = content { elements } else { nil } }

    var text: String? { if case .text(let text) = content { text } else { nil } }

    /// The member of an object with this key. Objects of many members are only walked.
    subscript(key: String) -> SampleValue? { members?.first { $0.key == key }?.value }

    /// An identity as text: a text, or a whole number.
    var identityText: String? {
        switch content {
        case .text(let text): text
        case .number(.integer(let number), isWhole: true): String(number)
        default: nil
        }
    }

    /// The value without lines.
    var json: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let value, isWhole: _): value
        case .text(let text): .string(text)
        case .list(let elements): .array(elements.map(\.json))
        case .object(let members):
            .object(JSONObject(members.map { ($0.key, $0.value.json) }))
        }
    }

    var kind: SampleKind? {
        switch content {
        case .null: nil
        case .bool: .bool
        case .number(_, let isWhole): isWhole ? .integer : .fraction
        case .text: .text
        case .list: .list
        case .object: .object
        }
    }
}

struct SampleMember {
    let key: String
    let value: SampleValue
}

/// The kinds of values other than null.
enum SampleKind: Int, CaseIterable {
    case bool, integer, fraction, text, list, object

    /// For messages.
    var title: String {
        switch self {
        case .bool: "a Boolean value"
        case .integer: "a whole number"
        case .fraction: "a fraction"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// Where a value is in the files.
struct SampleLocation: Hashable {
    /// The index of the file.
    let file: Int
    let line: Int
}
