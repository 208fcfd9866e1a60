/// A key of other schema languages that is written in another way in this one.
struct UnsupportedKey: Sendable {
    /// Its names, compared without case and underscores.
    var names: [String]
    /// The instruction. `{name}` stands for the name of what the mapping describes, `{entity}` for the destination of a
    /// relationship.
    var remedy: String

    init(_ names: [String], remedy: String) {
        self.names = names
        self.remedy = remedy
    }

    func matches(_ key: String) -> Bool {
        let key = Self.plain(key)
        return names.contains { Self.plain($0) == key }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }

    /// The remedy for the mapping with these entries.
    func remedy(for name: String, entries: [Node.Entry]) -> String {
        remedy.replacing("{name}", with: name.shortened)
            .replacing("{entity}", with: Self.destination(in: entries) ?? "Entity")
    }

    private static func destination(in entries: [Node.Entry]) -> String? {
        guard var value = entries.first(where: { $0.key.text == "to" })?.value else { return nil }
        if case .sequence(let elements) = value.content, let first = elements.first { value = first }
        let name = value.text?.filter { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.flatMap { $0.isEmpty ? nil : $0.shortened }
    }
}

extension UnsupportedKey {
    static let ofEntities = [
        UnsupportedKey(
            ["unique", "uniqueTogether", "uniqueKeys", "uniquenessConstraints"],
            remedy: "Write 'unique: true' in the attribute or, for several, "
                + "'indexes: [{ on: [a, b], unique: true }]'."),
        UnsupportedKey(
            ["hasMany", "hasOne", "belongsTo", "toMany", "toOne", "manyToMany"],
            remedy: "Declare it under 'relationships:': '[Entity]' for many, 'Entity?' for one."),
        UnsupportedKey(
            ["timestamps"], remedy: "Declare them under 'attributes:': 'createdAt: date', 'updatedAt: date'."),
        UnsupportedKey(
            ["path", "endpoint", "url", "wrap", "write"],
            remedy: "Move it into 'remote:', as in 'remote: { path: /entries }'."),
    ]

    static let ofAttributes = [
        UnsupportedKey(
            ["primaryKey", "primary", "pk", "isPrimaryKey", "identity", "isID"],
            remedy: "Remove it, and write 'identity: {name}' in the entity."),
        UnsupportedKey(
            ["required", "notNull", "nonNull", "mandatory"],
            remedy: "Remove it. An attribute is required unless its type ends with '?', as in 'string?'."),
        UnsupportedKey(
            ["autoIncrement", "autoincremented", "serial", "generated"],
            remedy: "Remove it. If the server makes the id, "
                + "write 'identity: { local: localID, remote: {name} }' in the entity."
        ),
        UnsupportedKey(
            ["references", "foreignKey", "belongsTo", "to", "inverse", "toOne"],
            remedy: "Make it a relationship: '{name}: Entity?' under 'relationships:'."),
        UnsupportedKey(
            ["enum", "values", "cases", "oneOf", "choices"],
            remedy: "Declare the values under 'enums:', as in 'Mood: [sad, happy]', and write that name as the type."),
        UnsupportedKey(
            ["toMany", "array", "isArray", "list", "isList", "many"],
            remedy: "Write the type in brackets, as in '[string]'."),
    ]

    static let ofRelationships = [
        UnsupportedKey(
            ["toMany", "many", "isToMany", "hasMany", "list", "array", "plural"],
            remedy: "Write the destination in brackets: 'to: [{entity}]'."),
        UnsupportedKey(
            ["toOne", "one", "hasOne", "belongsTo"],
            remedy: "Write the destination without brackets: 'to: {entity}?'."),
        UnsupportedKey(
            ["optional", "nullable", "isOptional"],
            remedy: "Write '?' after the destination: 'to: {entity}?'. A to-many relationship can always be empty."),
        UnsupportedKey(
            ["required", "notNull", "nonNull", "mandatory"],
            remedy: "Remove it. A to-one relationship is required unless its destination ends with '?'."),
        UnsupportedKey(["unique"], remedy: "Write it in the entity: 'indexes: [{ on: [{name}], unique: true }]'."),
        UnsupportedKey(["indexed", "index"], remedy: "Remove it. Each foreign key has an index."),
        UnsupportedKey(["default", "defaultValue"], remedy: "Remove it. A relationship has no default."),
    ]
}
