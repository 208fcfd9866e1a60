/// Names that generated code or the runtime uses for itself. A schema cannot have them, and a renaming behind the user's back
/// would hide it; the JSON key and the table can be kept.
enum ReservedNames {
    /// Members of every generated class or representation.
    static let members: Set<String> = [
        "context", "representation", "identity", "recordState", "entity", "update", "matches", "encode", "bind", "load",
        "toOne", "toMany", "insert", "delete", "didChange", "didChangeKey", "foreignKey", "setForeignKey", "setPosition",
        "lockstepID", "managedObject", "CodingKeys", "Columns", "Identity", "Representation",
    ]

    /// Types that generated code names. A type of the same name in the user's module would take their place there.
    static let types: Set<String> = [
        // Swift
        "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "Comparable", "Decodable", "Decoder", "Dictionary",
        "Double", "Encodable", "Encoder", "Equatable", "Error", "Float", "Hashable", "Hasher", "Identifiable", "Int",
        "Int16", "Int32", "Int64", "Never", "Optional", "RandomAccessCollection", "RawRepresentable", "Sendable", "Set",
        "String", "Swift", "Void", "AnyObject",
        // Foundation
        "Data", "Date", "Decimal", "Foundation", "JSONDecoder", "JSONEncoder", "URL", "UUID",
        // The store and what is under it
        "Column", "Context", "EntityDescription", "GRDB", "JSONValue", "LockstepStore", "Model", "Store", "TableRecord",
    ]
}
