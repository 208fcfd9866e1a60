/// Names that generated code or the runtime uses. A schema cannot have them, and renaming them silently would be
/// confusing; the JSON key and the table can be specified.
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

    /// Modules that generated code refers to. If a schema has an entity `ManagedObjectContext`, generated code uses
    /// `LockstepStore.ManagedObjectContext` for the runtime's; a type with the name of the module would make that
    /// impossible.
    static let modules: Set<String> = ["Foundation", "GRDB", "LockstepStore", "Swift"]

    /// Types that generated code uses in a class or representation, where a member with that name would hide them.
    static let types: Set<String> = modules.union([
        // Swift
        "Bool", "CodingKey", "Double", "Float", "Int", "Int16", "Int32", "Int64", "String",
        // Foundation
        "Data", "Date", "Decimal", "URL", "UUID",
        // The store
        "AttributeColumn", "DatabaseValue", "EntityDescription", "JSONValue", "Limits", "ManagedObject",
        "ManagedObjectContext", "OmittedKeys", "RelationshipHandle", "RemoteDescription", "RowReader", "RowWriter",
        "SchemaLiteral", "ToMany", "WireReader", "WireWriter",
    ])
}
