package import LockstepEvolution

extension Schema {
    /// What the schema stores and sends: what its versions are compared by.
    package var structure: SchemaStructure {
        let stored = Dictionary(customTypes.map { ($0.name, $0.stored) }, uniquingKeysWith: { first, _ in first })
        let joins = Dictionary(joinTables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return SchemaStructure(
            name: name, enumerations: enumerations.map(EnumerationStructure.init),
            entities: entities.map { entity in
                EntityStructure(
                    name: entity.name, table: entity.tableName, identity: IdentityStructure(entity.identity),
                    version: entity.version,
                    attributes: entity.attributes.compactMap {
                        AttributeStructure($0, types: stored, dateFormat: dateFormat)
                    },
                    relationships: entity.relationships.map { RelationshipStructure($0, joinTables: joins) },
                    indexes: entity.indexes.map {
                        IndexStructure(name: $0.name, columns: $0.columns, isUnique: $0.isUnique)
                    },
                    remote: entity.remote.map(RemoteStructure.init))
            })
    }
}

extension EnumerationStructure {
    fileprivate init(_ enumeration: Enumeration) {
        self.init(
            name: enumeration.name, isClosed: enumeration.isClosed, isInteger: enumeration.rawType == .int,
            cases: enumeration.cases.map { enumerationCase in
                switch enumerationCase.rawValue {
                case .string(let text): Case(name: enumerationCase.name, rawValue: .string(text))
                case .int(let number): Case(name: enumerationCase.name, rawValue: .int(number))
                }
            })
    }
}

extension IdentityStructure {
    fileprivate init(_ identity: Identity) {
        switch identity {
        case .none: self = .none
        case .attributes(let names): self = .attributes(names)
        case .local(let local, remote: let remote): self = .local(local, remote: remote)
        }
    }
}

extension RemoteStructure {
    fileprivate init(_ remote: Remote) {
        self.init(
            path: remote.path, writes: Set(remote.writes.compactMap { Write(rawValue: $0.rawValue) }),
            wrapKey: remote.wrapKey)
    }
}

extension AttributeStructure {
    /// - Returns: `nil` for a transient attribute.
    fileprivate init?(_ attribute: Attribute, types: [String: ScalarType], dateFormat: DateFormat) {
        guard let column = attribute.columnName else { return nil }
        let type = ValueType(attribute.type, types: types)
        self.init(
            name: attribute.name, column: column, type: type, isOptional: attribute.isOptional,
            isUnique: attribute.isUnique, defaultValue: attribute.defaultValue.map { DefaultValue($0, as: type) },
            limits: AttributeLimits(
                minimum: attribute.limits.minimum, maximum: attribute.limits.maximum,
                minimumLength: attribute.limits.minimumLength, maximumLength: attribute.limits.maximumLength),
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
        case .scalar(let scalar): self.init(scalar)
        case .custom(let name): self.init(types[name] ?? .string)
        case .enumeration(let name): self = .enumeration(name)
        case .list(let element): self = .list(ValueType(element, types: types))
        case .attachment: self = .attachment
        }
    }

    private init(_ scalar: ScalarType) { self = .scalar(Scalar(rawValue: scalar.rawValue) ?? .string) }

    fileprivate var hasDates: Bool {
        switch self {
        case .scalar(let scalar): scalar == .date
        case .list(let element): element.hasDates
        case .enumeration, .attachment: false
        }
    }
}

extension DefaultValue {
    /// - Parameter type: Numbers are written as values of it: `1` of a double is `1.0`.
    fileprivate init(_ value: DefaultValue, as type: ValueType) {
        switch value {
        case .string(let text): self = .string(text)
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self.init(number, as: type)
        case .double(let number):
            self = type == .scalar(.decimal) ? .decimal(number.description) : .double(number)
        case .decimal(let digits):
            self = type == .scalar(.decimal) ? .decimal(digits) : Double(digits).map(Self.double) ?? .decimal(digits)
        case .date(let seconds): self = .date(seconds)
        case .uuid(let text): self = .uuid(text)
        case .url(let text): self = .url(text)
        case .data(let bytes): self = .data(bytes)
        case .json(let text): self = .json(text)
        case .enumerationCase(let name): self = .enumerationCase(name)
        case .now: self = .now
        case .newUUID: self = .newUUID
        case .list(let elements):
            if case .list(let elementType) = type {
                self = .list(elements.map { DefaultValue($0, as: elementType) })
            } else {
                self = .list([])
            }
        }
    }

    private init(_ number: Int64, as type: ValueType) {
        switch type {
        case .scalar(.decimal): self = .decimal(String(number))
        case .scalar(.float), .scalar(.double): self = .double(Double(number))
        case .scalar(.date): self = .date(Double(number))
        default: self = .integer(number)
        }
    }
}

extension RelationshipStructure {
    fileprivate init(_ relationship: Relationship, joinTables: [String: LockstepSchema.JoinTable]) {
        self.init(
            name: relationship.name, destination: relationship.destination, isToMany: relationship.isToMany,
            isOptional: relationship.isOptional, isOrdered: relationship.isOrdered, inverse: relationship.inverse,
            onDelete: DeleteRule(rawValue: relationship.onDelete.rawValue) ?? .nullify,
            storage: Storage(relationship.storage, joinTables: joinTables),
            wire: RelationshipWire(relationship.wire))
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

extension RelationshipWire {
    fileprivate init(_ wire: RelationshipWire) {
        switch wire {
        case .none: self = .none
        case .id(paths: let paths, embeddedPath: let embedded): self = .id(paths: paths, embeddedPath: embedded)
        case .ids(let path, let embedded): self = .ids(path: path, embeddedPath: embedded)
        case .embedded(let path, let ids): self = .embedded(path: path, idsPath: ids)
        }
    }
}
