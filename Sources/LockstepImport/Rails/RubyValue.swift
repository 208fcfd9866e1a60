import LockstepJSON

/// A literal of Ruby, as `schema.rb` has them. Nothing is run.
enum RubyValue: Hashable {
    case string(String)
    case symbol(String)
    /// The digits, without underscores.
    case number(String)
    case bool(Bool)
    case null
    case array([RubyValue])
    case hash([RubyOption])
    /// The text in the braces.
    case lambda(String)

    /// A string or a symbol.
    var text: String? {
        switch self {
        case .string(let text), .symbol(let text): text
        default: nil
        }
    }

    var isTrue: Bool { self == .bool(true) }

    /// The value in a note.
    var description: String {
        switch self {
        case .string(let text): "\"\(text)\""
        case .symbol(let text): ":\(text)"
        case .number(let digits): digits
        case .bool(let flag): String(flag)
        case .null: "nil"
        case .array(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
        case .hash(let options): "{ \(options.map { "\($0.key): \($0.value.description)" }.joined(separator: ", ")) }"
        case .lambda(let text): "-> {\(text)}"
        }
    }

    /// The value as JSON; `nil` for code.
    var json: JSONValue? {
        switch self {
        case .string(let text), .symbol(let text): return .string(text)
        case .number(let digits): return DatabaseLiteral.number(digits)
        case .bool(let flag): return .bool(flag)
        case .null: return .null
        case .array(let elements):
            let values = elements.compactMap(\.json)
            return values.count == elements.count ? .array(values) : nil
        case .hash(let options):
            let pairs = options.compactMap { option in option.value.json.map { (option.key, $0) } }
            return pairs.count == options.count ? .object(JSONObject(pairs)) : nil
        case .lambda: return nil
        }
    }
}

/// `null: false`.
struct RubyOption: Hashable {
    let key: String
    let value: RubyValue
}

/// A call in a line: `t.string "title", null: false`.
struct RubyCall {
    /// `t`; `nil` for a call without one.
    let receiver: String?
    let method: String
    let arguments: [RubyValue]
    let options: [RubyOption]
    /// Whether `do |t|` follows.
    let hasBlock: Bool
    /// From 1.
    let line: Int

    func option(_ key: String) -> RubyValue? { options.last { $0.key == key }?.value }
}
