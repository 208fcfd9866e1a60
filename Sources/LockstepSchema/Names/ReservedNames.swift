/// Names that generated code or the runtime uses for itself. A schema cannot have them, and a renaming behind the
/// user's back would hide it; the JSON key and the table can be kept.
enum ReservedNames {
    /// Members of every generated class or representation.
    static let members: Set<String> = [
        "context", "representation", "identity", "recordState", "entity", "update", "matches", "encode", "bind",
        "load", "toOne", "toMany", "insert", "delete", "didChange", "didChangeOptional", "didChangeKey", "foreignKey",
        "setForeignKey", "setPosition", "lockstepID", "managedObject", "omittedKeys", "omits", "wireIdentity",
        "merge", "write", "accepts", "isValid", "validate", "validateForSave", "CodingKeys", "Columns", "Identity",
        "Relationships",
        "Representation",
    ]

    /// Modules that generated code names. Where a schema has an entity `Context`, generated code says
    /// `LockstepStore.Context` for the runtime's; a type called like the module would take that way away.
    static let modules: Set<String> = ["Foundation", "GRDB", "LockstepStore", "Swift"]

    /// Types that generated code names inside a class or representation, where a member of that name would hide them.
    static let types: Set<String> = modules.union([
        // Swift
        "Bool", "CodingKey", "Double", "Float", "Int", "Int16", "Int32", "Int64", "String",
        // Foundation
        "Data", "Date", "Decimal", "URL", "UUID",
        // The store
        "AttributeColumn", "Context", "DatabaseValue", "EntityDescription", "JSONValue", "Limits", "ManagedObject",
        "OmittedKeys", "RelationshipHandle", "RemoteDescription", "RowReader", "RowWriter", "SchemaLiteral", "ToMany",
        "WireReader",
        "WireWriter",
    ])
}
