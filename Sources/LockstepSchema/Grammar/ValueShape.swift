/// The shape of a value of the language. Messages, the JSON Schema and the reference page are derived from it.
indirect enum ValueShape: Sendable {
    /// Any text, even one that looks like a number or a bool.
    case text
    /// Text for readers; `true` and `7` are not accepted.
    case prose
    /// The name of something in the schema.
    case name
    /// The name of something that a schema declares, of this kind.
    case reference(Referent)
    /// Names that lead from an entity to another and end at an attribute: `members.user`.
    case path
    case bool
    case integer(least: Int64)
    case number
    case choice([Choice])
    case list(of: ValueShape, leastCount: Int)
    /// A mapping of names to values; `name` describes the names: "attribute". A mapping with the key `without` is
    /// something else.
    case map(name: String, of: ValueShape, without: String? = nil)
    /// A mapping of the keys of a section, or one of the section's short forms.
    case section(String)
    /// A type as text: `string?`, `[string]`, `"[string]?"`; `noun` describes what is named: "type", "entity".
    case type(noun: String)
    /// One of several shapes.
    case either([ValueShape])
    /// Any YAML value.
    case anything
}

/// A kind of thing that other parts of a schema name.
enum Referent: Sendable {
    case abstractEntity, relationship, attribute
    /// An attribute or a relationship.
    case member
    /// An attribute, or one with `-` before it.
    case sortKey
}

/// One of the values that a key allows.
struct Choice: Sendable {
    var value: String
    var documentation: String

    init(_ value: String, documentation: String) {
        self.value = value
        self.documentation = documentation
    }
}

extension ValueShape {
    /// The expected value, with its article: "a whole number", "a name or a list of names".
    var expectation: String {
        switch self {
        case .text, .prose: "text"
        case .name, .reference: "a name"
        case .path: "a path"
        case .bool: "'true' or 'false'"
        case .integer: "a whole number"
        case .number: "a number"
        case .choice(let choices): Self.alternatives(choices.map { "'\($0.value)'" })
        case .list(let element, _): "a list of \(element.plural)"
        case .map(let name, _, _): "a mapping of \(name) names"
        case .section(let name): "a mapping of the keys of \(name)"
        case .type(let noun): "\(noun == "entity" ? "an" : "a") \(noun)"
        case .either(let shapes): Self.alternatives(shapes.map(\.expectation))
        case .anything: "a value"
        }
    }

    private var plural: String {
        switch self {
        case .text, .prose, .type: "texts"
        case .name, .reference: "names"
        case .path: "paths"
        case .list(let element, _): "lists of \(element.plural)"
        case .either(let shapes): Self.alternatives(shapes.map(\.plural))
        case .choice: expectation
        case .section(let name): "mappings of the keys of \(name)"
        case .bool, .integer, .number, .map, .anything: "values"
        }
    }

    /// "a", "a or b", "a, b or c".
    static func alternatives(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " or " + last
    }
}
