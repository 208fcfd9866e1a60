import LockstepEvolution
import LockstepJSON

/// An attribute or a relationship. What it does not say has the language's default.
struct MemberSketch {
    var name: String
    var type: TypeSketch
    /// The relationship at the other end.
    var inverse: String?
    var onDelete: DeleteRule?
    var isOrdered = false
    var defaultValue: JSONValue?
    var isTransient = false
    var isAttachment = false
    var isReadOnly = false
    var wire: WireSketch?
    /// The key in JSON, or the path of keys; empty for the one that is derived.
    var key: [String] = []
    var formerKeys: [String] = []
    /// Where records are read beside identities, and identities beside records.
    var embeddedKey: [String] = []
    var idsKey: [String] = []
    var column: String?
    /// The table with the links of many to many.
    var table: String?
    var minimum: JSONValue?
    var maximum: JSONValue?
    var minimumLength: Int64?
    var maximumLength: Int64?
    var isUnique = false
    var isIndexed = false
    var documentation: String?
    var deprecation: String?
    var comment: String?
    /// The name in the source; `nil` for what an import has added. It is not written.
    var source: String?
    /// The line of the source, from 1; it is not written.
    var line: Int?

    init(name: String, type: TypeSketch, source: String? = nil, line: Int? = nil) {
        (self.name, self.type, self.source, self.line) = (name, type, source, line)
    }

    var isOptional: Bool {
        get { type.isOptional }
        set { type.isOptional = newValue }
    }

    /// A key that the device assigns.
    static func newKey(named name: String) -> MemberSketch {
        var key = MemberSketch(name: name, type: .one("uuid"))
        key.defaultValue = "new"
        return key
    }

    /// A key that the device assigns, where the source has no identity that is possible.
    static func localKey(named name: String, because reason: String) -> MemberSketch {
        var key = newKey(named: name)
        key.comment = "chosen by import: \(reason)"
        return key
    }

    /// A key that is only on the device, of records that the server sends without an identity.
    static func unsentKey(named name: String, because reason: String) -> MemberSketch {
        var key = localKey(named: name, because: reason)
        key.wire = .unsent
        return key
    }

    /// Returns the reason that an import reports for entities with such a key, and how to change it.
    static func unsentKeyReason(_ name: String) -> String {
        "nothing identifies its records, so they cannot be pulled: they stay on the device (`remote: none`), each with "
            + "a new '\(name)'"
    }

    static func unsentKeyHelp(_ name: String) -> String {
        "If an attribute identifies them, write it in 'identity:', and remove '\(name)' and `remote: none`."
    }
}

/// The type of an attribute, or the destination of a relationship.
struct TypeSketch: Hashable, CustomStringConvertible {
    /// The name of the type, or of that of the elements.
    var name: String
    var isList = false
    var isOptional = false

    static func one(_ name: String) -> TypeSketch { TypeSketch(name: name) }

    static func optional(_ name: String) -> TypeSketch { TypeSketch(name: name, isOptional: true) }

    static func list(of name: String) -> TypeSketch { TypeSketch(name: name, isList: true) }

    /// As the language has it: `string?`, `[Review]`.
    var description: String { (isList ? "[\(name)]" : name) + (isOptional ? "?" : "") }
}

/// How a value or a link is in JSON.
enum WireSketch: Hashable {
    case unsent
    /// Numbers as text.
    case text
    case id, ids, embedded
    /// A date, by the name of its format or its pattern.
    case date(String)

    /// As the language has it.
    var text: String {
        switch self {
        case .unsent: "none"
        case .text: "string"
        case .id: "id"
        case .ids: "ids"
        case .embedded: "embedded"
        case .date(let format): format
        }
    }
}
