/// Names that generated code or the runtime uses. A schema cannot have them, and renaming them silently would be
/// confusing; the JSON key and the table can be specified.
enum ReservedNames {
    /// Types that are nested in generated classes and representations.
    static let nestedTypes: Set<String> = [
        "CodingKeys", "Columns", "Identity", "Object", "Relationships", "Representation", "WireIdentity",
    ]

    /// Members of every generated class or representation, or of its coding keys.
    static let members = nestedTypes.union([
        "context", "representation", "identity", "recordState", "entity", "update", "matches", "encode", "bind",
        "load", "toOne", "toMany", "insert", "delete", "didChange", "didChangeOptional", "didChangeKey", "foreignKey",
        "setForeignKey", "setPosition", "lockstepID", "managedObject", "omittedKeys", "omits", "wireIdentity",
        "merge", "write", "accepts", "isValid", "validate", "validateForSave", "RawValue",
    ])

    /// Members of a composite identity.
    static let identityMembers: Set<String> = ["keyValues"]

    /// Modules that generated code refers to. If a schema has an entity `ManagedObjectContext`, generated code uses
    /// `LockstepStore.ManagedObjectContext` for the runtime's; a type with the name of the module would make that
    /// impossible.
    static let modules: Set<String> = ["Foundation", "GRDB", "LockstepStore", "Swift"]

    /// Modules that macros refer to in the code that they add to the user's module: `@Observable` adds an
    /// `Observation.ObservationRegistrar`.
    static let modulesOfMacros: Set<String> = ["Observation", "SwiftUI", "Testing"]

    /// Types that generated code uses in a class or representation, where a member with that name would hide them.
    static let types: Set<String> = modules.union([
        // Swift
        "Bool", "CodingKey", "Double", "Float", "Int", "Int16", "Int32", "Int64", "String",
        // Foundation
        "Data", "Date", "Decimal", "URL", "UUID",
        // The store
        "AttributeColumn", "DatabaseValue", "JSONValue", "ManagedObject",
        "ManagedObjectContext", "OmittedKeys", "RelationshipHandle", "RowReader", "RowWriter",
        "SchemaLiteral", "ToMany", "ValueComparison", "WireReader", "WireWriter",
    ])
}
