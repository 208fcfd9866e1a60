import LockstepJSON

/// A schema as it will be written, with comments.
struct SchemaSketch {
    var name: String
    /// `nil` for the language's default.
    var version: Int?
    var comments: [String] = []
    /// The comments at the end.
    var lastComments: [String] = []
    /// The options of the file's `wire:`.
    var wire: JSONObject = [:]
    /// Whether the names of columns and tables are those of members and entities, unchanged.
    var hasColumnsAsWritten = false
    var enums: [EnumSketch] = []
    var entities: [EntitySketch] = []
}

struct EnumSketch {
    var name: String
    /// Whether the raw values are whole numbers.
    var isInteger = false
    var isClosed = false
    var doc: String?
    var cases: [(name: String, value: JSONValue)]
    /// The line of the source, from 1; it is not written.
    var line: Int?
}

struct EntitySketch {
    var name: String
    var isAbstract = false
    var extends: String?
    /// The attributes of the identity; empty for the language's default.
    var identity: [String] = []
    /// Options beside these, such as `table` and `remote`.
    var options: [(key: String, value: JSONValue)] = []
    var attributes: [MemberSketch] = []
    var relationships: [MemberSketch] = []
    var indexes: [IndexSketch] = []
    /// The source that it was made of, which does not depend on its names; it is not written.
    var source: String?
    /// The line of the source, from 1; it is not written.
    var line: Int?
}

struct IndexSketch: Hashable {
    var members: [String]
    var isUnique = false
}

/// An attribute or a relationship.
struct MemberSketch {
    var name: String
    /// As the language has it: `string?`, `[Review]`.
    var type: String
    var options: [(key: String, value: JSONValue)] = []
    var comment: String?
    /// The name in the source; `nil` for what an import has added. It is not written.
    var source: String?
    /// The line of the source, from 1; it is not written.
    var line: Int?

    /// A key that the device assigns, where the source has no identity that is possible.
    static func localKey(named name: String, because reason: String) -> MemberSketch {
        var key = MemberSketch(name: name, type: "uuid")
        key.set("default", to: "new")
        key.comment = "chosen by import: \(reason)"
        return key
    }

    /// A key that is only on the device, of records that the server sends without an identity.
    static func unsentKey(named name: String, because reason: String) -> MemberSketch {
        var key = localKey(named: name, because: reason)
        key.set("wire", to: "none")
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

    mutating func set(_ key: String, to value: JSONValue) {
        if let index = options.firstIndex(where: { $0.key == key }) {
            options[index].value = value
        } else {
            options.append((key, value))
        }
    }

    mutating func remove(_ key: String) { options.removeAll { $0.key == key } }

    /// The type without `?` and brackets.
    var plainType: String { type.filter { !"[]?".contains($0) } }

    var isOptional: Bool {
        get { type.hasSuffix("?") }
        set {
            if newValue == isOptional { return }
            type = newValue ? type + "?" : String(type.dropLast())
        }
    }
}

extension SchemaSketch {
    /// The counts for the report.
    var counts: ImportReport.Counts {
        var counts = ImportReport.Counts()
        counts.entities = entities.count
        counts.attributes = entities.reduce(0) { $0 + $1.attributes.count }
        counts.relationships = entities.reduce(0) { $0 + $1.relationships.count }
        return counts
    }
}

/// The name, with the first number from 2 that makes it free if it is taken.
func freeName(_ name: String, isTaken: (String) -> Bool) -> String {
    var (candidate, number) = (name, 2)
    while isTaken(candidate) { (candidate, number) = ("\(name)\(number)", number + 1) }
    return candidate
}
