/// Names that generated code or the runtime uses for itself. A schema cannot have them, and a renaming behind the user's back
/// would hide it; the JSON key and the table can be kept.
enum ReservedNames {
    /// Members of every generated class or representation.
    static let members: Set<String> = [
        "context", "representation", "identity", "recordState", "entity", "update", "matches", "encode", "bind", "load",
        "toOne", "toMany", "insert", "delete", "didChange", "didChangeKey", "foreignKey", "setForeignKey", "setPosition",
        "lockstepID", "managedObject", "omittedKeys", "omits", "wireIdentity", "merge", "write", "CodingKeys", "Columns", "Identity", "Representation",
    ]

    /// Modules that generated code names. Where a schema has an entity `Context`, generated code says `LockstepStore.Context`
    /// for the runtime's; a type called like the module would take that way away.
    static let types: Set<String> = ["Foundation", "GRDB", "LockstepStore", "Swift"]
}
