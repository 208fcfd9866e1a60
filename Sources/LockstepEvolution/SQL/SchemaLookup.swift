/// A structure's parts by name.
package struct SchemaLookup: Sendable {
    /// The entities in the order of the structure.
    package let list: [EntityStructure]
    package let entities: [String: EntityStructure]
    /// The join tables in the order of the relationships that define them.
    package let joinTables: [JoinTable]
    private let enumerations: [String: EnumerationStructure]

    package init(_ structure: SchemaStructure) {
        list = structure.entities
        entities = Dictionary(structure.entities.map { ($0.name, $0) }) { first, _ in first }
        enumerations = Dictionary(structure.enumerations.map { ($0.name, $0) }) { first, _ in first }
        joinTables = structure.entities.flatMap { entity in
            entity.relationships.compactMap { JoinTable($0, of: entity) }
        }
    }

    /// The type of a value's column in a store.
    package func sqliteType(of type: ValueType) -> String {
        SQLDialect.sqlite.name(of: columnType(of: type).sqlType).description
    }

    /// The type of the values in a column.
    func columnType(of type: ValueType) -> ColumnType {
        switch type {
        case .scalar(let scalar): .scalar(scalar)
        case .enumeration(let name): enumerations[name].map(ColumnType.enumeration) ?? .scalar(.string)
        case .list(let element): .list(element)
        case .attachment: .attachment
        }
    }

    /// The kind of values in a column of PostgreSQL and SQLite.
    package func sqlType(of type: ValueType) -> SQLType { columnType(of: type).sqlType }

    /// The relationship at the other end.
    package func inverse(of relationship: RelationshipStructure) -> RelationshipStructure? {
        relationship.inverse.flatMap { entities[relationship.destination]?.relationship($0) }
    }

    /// Whether both ends of a link stay on the device, so that SQLite can check it.
    package func isLocal(_ entity: String, and other: String) -> Bool {
        entities[entity]?.remote == nil && entities[other]?.remote == nil
    }

    package func joinTable(named name: String) -> JoinTable? { joinTables.first { $0.name == name } }

    /// The columns of an entity's table in order: the surrogate key, attributes, foreign keys, positions.
    package func columns(of entity: EntityStructure) -> [EntityColumn] {
        var columns: [EntityColumn] = []
        if case .none = entity.identity {
            columns.append(
                EntityColumn(
                    name: EntityStructure.surrogateKey, content: .surrogateKey, type: .scalar(.int), isOptional: false))
        }
        columns += entity.attributes.map {
            EntityColumn(name: $0.column, content: .attribute($0.name), type: $0.type, isOptional: $0.isOptional)
        }
        for relationship in entity.relationships {
            let key = entities[relationship.destination]?.identity.keyAttributes ?? []
            for (name, attribute) in zip(relationship.foreignKeyColumns, key) {
                let type = entities[relationship.destination]?.attribute(attribute)?.type ?? .scalar(.string)
                columns.append(
                    EntityColumn(
                        name: name, content: .foreignKey(relationship.name), type: type,
                        isOptional: relationship.isOptional))
            }
        }
        for relationship in entity.relationships {
            guard let name = relationship.positionColumn else { continue }
            columns.append(
                EntityColumn(
                    name: name, content: .position(relationship.name), type: .scalar(.int), isOptional: true))
        }
        return columns
    }
}

/// One column of an entity's table.
package struct EntityColumn: Hashable, Sendable {
    package let name: String
    package let content: Content
    package let type: ValueType
    package let isOptional: Bool

    package enum Content: Hashable, Sendable {
        /// The key of an entity without identity.
        case surrogateKey
        /// The attribute of this name.
        case attribute(String)
        /// A part of the key of this to-one relationship's destination.
        case foreignKey(String)
        /// The position in the ordered to-many whose inverse is this to-one relationship.
        case position(String)

        /// The attribute or to-one relationship whose value it has; `nil` for a position and for a surrogate key.
        package var value: String? {
            switch self {
            case .attribute(let name), .foreignKey(let name): name
            case .position, .surrogateKey: nil
            }
        }
    }
}

/// The table of a many-to-many relationship, with both ends.
package struct JoinTable: Hashable, Sendable {
    package let name: String
    package let left: End
    package let right: End
    /// Whether each record has at most one link: the table of a symmetric to-one relationship.
    package let isToOne: Bool

    /// Whether both ends are the same relationship, so that each link is two rows, one for each direction.
    package var isSymmetric: Bool { left.relationship == right.relationship && left.entity == right.entity }

    package struct End: Hashable, Sendable {
        package let entity: String
        /// `nil` for the other end of a relationship without inverse.
        package let relationship: String?
        /// The columns of the entity's key, in the order of the key.
        package let columns: [String]
        /// The column with the position of the other end in this entity's list, if that is ordered.
        package let positionColumn: String?
    }

    init?(_ relationship: RelationshipStructure, of entity: EntityStructure) {
        guard case .joinTable(let table) = relationship.storage else { return nil }
        name = table.name
        isToOne = !relationship.isToMany
        left = End(
            entity: entity.name, relationship: relationship.name, columns: table.leftColumns,
            positionColumn: table.leftPosition)
        right = End(
            entity: relationship.destination, relationship: relationship.inverse, columns: table.rightColumns,
            positionColumn: table.rightPosition)
    }
}

/// The type of a column's values, with enums resolved.
enum ColumnType {
    case scalar(ScalarType)
    case enumeration(EnumerationStructure)
    /// JSON text with values of this type.
    case list(ValueType)
    /// The text that refers to a file.
    case attachment

    var sqlType: SQLType {
        switch self {
        case .scalar(let scalar): Self.sqlType(of: scalar)
        case .enumeration(let enumeration): enumeration.isInteger ? .bigInteger : .text
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
        case .day: .day
        case .uuid: .uuid
        case .data: .bytes
        case .json: .json
        }
    }
}

extension CaseValue {
    /// The value as text.
    var text: String {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        }
    }

    var literal: SQLLiteral {
        switch self {
        case .string(let text): .text(text)
        case .int(let number): .integer(number)
        }
    }
}
