extension Schema {
    /// The stored and sent parts of the schema, by which its versions are compared.
    package var structure: SchemaStructure {
        let stored = Dictionary(customTypes.map { ($0.name, $0.stored) }, uniquingKeysWith: { first, _ in first })
        let joins = Dictionary(joinTables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return SchemaStructure(
            name: name, enumerations: enumerations.map(EnumerationStructure.init),
            entities: entities.map { entity in
                EntityStructure(
                    name: entity.name, table: entity.tableName, identity: entity.identity,
                    version: entity.version, together: entity.together,
                    attributes: entity.attributes.compactMap {
                        AttributeStructure($0, types: stored, dateFormat: dateFormat)
                    },
                    relationships: entity.relationships.map { RelationshipStructure($0, joinTables: joins) },
                    indexes: entity.indexes,
                    remote: entity.remote.map(RemoteStructure.init), scope: entity.scope,
                    readers: entity.readers?.sorted, writers: entity.writers?.sorted)
            })
    }
}

extension EnumerationStructure {
    fileprivate init(_ enumeration: Enumeration) {
        self.init(
            name: enumeration.name, isClosed: enumeration.isClosed, isInteger: enumeration.rawType == .int,
            cases: enumeration.cases.map { Case(name: $0.name, rawValue: $0.rawValue) })
    }
}

extension RemoteStructure {
    fileprivate init(_ remote: Remote) {
        self.init(path: remote.path, writes: Set(remote.writes), wrapKey: remote.wrapKey)
    }
}

extension AttributeStructure {
    /// - Returns: `nil` for a transient attribute.
    fileprivate init?(_ attribute: Attribute, types: [String: ScalarType], dateFormat: DateFormat) {
        guard let column = attribute.columnName else { return nil }
        let type = ValueType(attribute.type, types: types)
        self.init(
            name: attribute.name, column: column, type: type, isOptional: attribute.isOptional,
            isUnique: attribute.isUnique, defaultValue: attribute.defaultValue.map { $0.stored(as: type) },
            limits: attribute.limits,
            wire: attribute.wire.map { wire in
                WireStructure(
                    path: wire.path, format: wire.format.text(of: type, dateFormat: dateFormat),
                    formerPaths: wire.formerPaths, isReadOnly: wire.isReadOnly)
            })
    }
}

extension AttributeWire.Format {
    /// - Returns: `nil` for the default of the type.
    fileprivate func text(of type: ValueType, dateFormat: DateFormat) -> String? {
        switch self {
        case .plain: type.hasDates ? dateFormat.text : nil
        case .text: "text"
        case .date(let format): format.text
        case .uppercase: "uppercase"
        }
    }
}

extension DateFormat {
    fileprivate var text: String {
        switch self {
        case .iso8601: "iso8601"
        case .secondsSince1970: "secondsSince1970"
        case .millisecondsSince1970: "millisecondsSince1970"
        case .microsecondsSince1970: "microsecondsSince1970"
        case .fractionalSecondsSince1970: "fractionalSecondsSince1970"
        case .fractionalMillisecondsSince1970: "fractionalMillisecondsSince1970"
        case .pattern(let pattern): pattern
        }
    }
}

extension ValueType {
    fileprivate init(_ type: AttributeType, types: [String: ScalarType]) {
        switch type {
        case .scalar(let scalar): self = .scalar(scalar)
        case .custom(let name): self = .scalar(types[name] ?? .string)
        case .enumeration(let name): self = .enumeration(name)
        case .list(let element): self = .list(ValueType(element, types: types))
        case .attachment: self = .attachment
        }
    }

    fileprivate var hasDates: Bool {
        switch self {
        case .scalar(let scalar): scalar == .date
        case .list(let element): element.hasDates
        case .enumeration, .attachment: false
        }
    }
}

extension DefaultValue {
    /// The default as a value of a type: `1` of a double is `1.0`.
    fileprivate func stored(as type: ValueType) -> DefaultValue {
        switch (self, type) {
        case (.integer(let number), .scalar(.decimal)): .decimal(String(number))
        case (.integer(let number), .scalar(.float)), (.integer(let number), .scalar(.double)): .double(Double(number))
        case (.integer(let number), .scalar(.date)): .date(Double(number))
        case (.double(let number), .scalar(.decimal)): .decimal(number.description)
        case (.decimal, .scalar(.decimal)): self
        case (.decimal(let digits), _): Double(digits).map(DefaultValue.double) ?? self
        case (.list(let elements), .list(let type)): .list(elements.map { $0.stored(as: type) })
        default: self
        }
    }
}

extension RelationshipStructure {
    fileprivate init(_ relationship: Relationship, joinTables: [String: LockstepSchema.JoinTable]) {
        self.init(
            name: relationship.name, destination: relationship.destination, isToMany: relationship.isToMany,
            isOptional: relationship.isOptional, isOrdered: relationship.isOrdered, inverse: relationship.inverse,
            onDelete: relationship.onDelete,
            storage: Storage(relationship.storage, joinTables: joinTables),
            wire: relationship.wire)
    }
}

extension RelationshipStructure.Storage {
    fileprivate init(_ storage: Relationship.Storage, joinTables: [String: LockstepSchema.JoinTable]) {
        switch storage {
        case .foreignKey(let key): self = .foreignKey(columns: key.columns, position: key.positionColumn)
        case .inverseForeignKey: self = .inverseForeignKey
        case .joinTable(let name, isLeft: let isLeft):
            if isLeft, let table = joinTables[name] {
                self = .joinTable(
                    JoinTableStructure(
                        name: name, leftColumns: table.left.columns, rightColumns: table.right.columns,
                        leftPosition: table.left.positionColumn, rightPosition: table.right.positionColumn,
                        isSymmetric: table.isSymmetric))
            } else {
                self = .inverseJoinTable(name)
            }
        }
    }
}
