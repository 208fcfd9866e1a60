import LockstepSchema

/// A schema's parts by name.
struct SchemaLookup {
    let entities: [String: Entity]
    let joinTables: [String: JoinTable]
    private let enumerations: [String: Enumeration]
    private let storedTypes: [String: ScalarType]

    init(_ schema: Schema) {
        entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
        joinTables = Dictionary(schema.joinTables.map { ($0.name, $0) }) { first, _ in first }
        enumerations = Dictionary(schema.enumerations.map { ($0.name, $0) }) { first, _ in first }
        storedTypes = Dictionary(schema.customTypes.map { ($0.name, $0.stored) }) { first, _ in first }
    }

    /// The stored type of an attribute's values.
    func storedType(of type: AttributeType) -> StoredType {
        switch type {
        case .scalar(let scalar): .scalar(scalar)
        case .custom(let name): .scalar(storedTypes[name] ?? .string)
        case .enumeration(let name): enumerations[name].map(StoredType.enumeration) ?? .scalar(.string)
        case .list(let element): .list(element)
        case .attachment: .attachment
        }
    }

    /// The columns of an entity's primary key, in the order of its identity; empty if it has none.
    func keyColumns(of entity: Entity) -> [String] {
        entity.identity.keyAttributes.compactMap { name in
            entity.attributes.first { $0.name == name }?.columnName
        }
    }

    /// The relationship at the other end.
    func inverse(of relationship: Relationship) -> Relationship? {
        guard let name = relationship.inverse, let destination = entities[relationship.destination] else { return nil }
        return destination.relationships.first { $0.name == name }
    }
}

/// The stored type of a value, with custom types resolved.
enum StoredType {
    case scalar(ScalarType)
    case enumeration(Enumeration)
    /// JSON text with values of this type.
    case list(AttributeType)
    /// The text that refers to a file.
    case attachment

    var sqlType: SQLType {
        switch self {
        case .scalar(let scalar): Self.sqlType(of: scalar)
        case .enumeration(let enumeration): enumeration.rawType == .string ? .text : .bigInteger
        case .list: .json
        case .attachment: .text
        }
    }

    private static func sqlType(of scalar: ScalarType) -> SQLType {
        switch scalar {
        case .string, .url: .text
        case .bool: .boolean
        case .int16: .smallInteger
        case .int32: .integer
        case .int, .int64: .bigInteger
        case .float: .real
        case .double: .double
        case .decimal: .numeric
        case .date: .timestamp
        case .uuid: .uuid
        case .data: .bytes
        case .json: .json
        }
    }
}

extension Enumeration.RawValue {
    var literal: SQLLiteral {
        switch self {
        case .string(let text): .text(text)
        case .int(let number): .integer(number)
        }
    }
}

extension Relationship {
    /// Its own foreign key, if it holds one.
    var foreignKey: ForeignKey? {
        guard case .foreignKey(let foreignKey) = storage else { return nil }
        return foreignKey
    }
}
