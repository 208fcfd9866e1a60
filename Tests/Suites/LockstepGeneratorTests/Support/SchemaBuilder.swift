import LockstepSchema

/// Creates resolved schemas in a few words, with the names that the rules of the language would choose.
func makeSchema(
    _ name: String = "Shop", source: String? = nil, enumerations: [Enumeration] = [], customTypes: [CustomType] = [],
    entities: [Entity], joinTables: [JoinTable] = []
) -> Schema {
    var schema = Schema(
        name: name, swiftName: name + "Schema", version: 1, documentation: nil, access: .internal,
        source: source ?? "Schemas/\(name).yaml", dateFormat: .iso8601, enumerations: enumerations,
        customTypes: customTypes, abstractEntities: [], entities: entities, joinTables: joinTables
    )
    for index in entities.indices {
        schema.entities[index].columns += linkColumns(of: entities[index], among: entities)
        if isSynced(entities[index], joinTables) {
            schema.entities[index].remote = Remote(
                path: "/\(entities[index].tableName)", writes: Remote.Write.allCases, wrapKey: nil)
        }
    }
    return schema
}

/// Whether an entity has links that are not local: its records are then on a server.
private func isSynced(_ entity: Entity, _ joinTables: [JoinTable]) -> Bool {
    let hasForeignKey = entity.relationships.contains { relationship in
        if case .foreignKey(let key) = relationship.storage { !key.isLocal } else { false }
    }
    return hasForeignKey
        || joinTables.contains { [$0.left.entity, $0.right.entity].contains(entity.name) && !$0.isLocal }
}

func entity(
    _ name: String, table: String? = nil, doc: String? = nil, identity: IdentityStructure = .attributes(["id"]),
    _ attributes: [Attribute], _ relationships: [Relationship] = [], indexes: [IndexStructure] = []
) -> Entity {
    var columns = attributes.compactMap { attribute in
        attribute.columnName.map {
            Column(
                name: $0, property: attribute.swiftName, content: .attribute(attribute.name), type: attribute.type,
                isOptional: attribute.isOptional
            )
        }
    }
    if identity == .none {
        columns.insert(
            Column(
                name: "lockstep_id", property: "lockstepID", content: .surrogateKey, type: .scalar(.int64),
                isOptional: false
            ),
            at: 0
        )
    }
    return Entity(
        name: name, swiftName: name, representationName: name + "Representation", tableName: table ?? snake(name),
        documentation: doc, protocols: [], identity: identity, attributes: attributes, relationships: relationships,
        columns: columns, indexes: indexes, remote: nil
    )
}

func attribute(
    _ name: String, _ type: ScalarType, optional: Bool = false, default defaultValue: DefaultValue? = nil,
    limits: AttributeLimits = AttributeLimits(), unique: Bool = false, column: String? = nil
) -> Attribute {
    attribute(
        name, type: .scalar(type), optional: optional, default: defaultValue, limits: limits, unique: unique,
        column: column
    )
}

func attribute(
    _ name: String, type: AttributeType, optional: Bool = false, default defaultValue: DefaultValue? = nil,
    limits: AttributeLimits = AttributeLimits(), unique: Bool = false, column: String? = nil
) -> Attribute {
    Attribute(
        name: name, swiftName: name, columnName: column ?? snake(name), type: type, isOptional: optional,
        defaultValue: defaultValue, limits: limits, wire: AttributeWire(path: [name], format: .plain),
        isUnique: unique, isAttachment: false, renamedFrom: nil, documentation: nil, deprecation: nil
    )
}

func toOne(
    _ name: String, to destination: String, columns: [String]? = nil, position: String? = nil,
    optional: Bool = true, inverse: String? = nil, onDelete: DeleteRule = .nullify, local: Bool = false
) -> Relationship {
    let foreignKey = ForeignKey(
        property: name + "ID", columns: columns ?? [snake(name) + "_id"], positionColumn: position,
        positionProperty: position, isLocal: local
    )
    return relationship(
        name, to: destination, isToMany: false, optional: optional, inverse: inverse, onDelete: onDelete,
        storage: .foreignKey(foreignKey)
    )
}

func toMany(
    _ name: String, to destination: String, inverse: String, onDelete: DeleteRule = .nullify
) -> Relationship {
    relationship(
        name, to: destination, isToMany: true, optional: true, inverse: inverse, onDelete: onDelete,
        storage: .inverseForeignKey
    )
}

func manyToMany(
    _ name: String, to destination: String, inverse: String, through table: String, isLeft: Bool,
    onDelete: DeleteRule = .nullify
) -> Relationship {
    relationship(
        name, to: destination, isToMany: true, optional: true, inverse: inverse, onDelete: onDelete,
        storage: .joinTable(table, isLeft: isLeft)
    )
}

func enumeration(
    _ name: String, _ cases: [(String, CaseValue)], closed: Bool = false
) -> Enumeration {
    var rawType = Enumeration.RawType.string
    if case .int = cases.first?.1 { rawType = .int }
    return Enumeration(
        name: name, swiftName: name, documentation: nil, isClosed: closed, rawType: rawType,
        cases: cases.map { Enumeration.Case(name: $0.0, swiftName: $0.0, rawValue: $0.1) }
    )
}

private func relationship(
    _ name: String, to destination: String, isToMany: Bool, optional: Bool, inverse: String?, onDelete: DeleteRule,
    storage: Relationship.Storage
) -> Relationship {
    Relationship(
        name: name, swiftName: name, destination: destination, isToMany: isToMany, isOptional: optional,
        isOrdered: false, inverse: inverse, isImplied: false, onDelete: onDelete, sortedBy: [], storage: storage,
        wire: .none, documentation: nil, deprecation: nil
    )
}

/// The columns of an entity's foreign keys, with the types of the destination's key, and of their positions.
private func linkColumns(of entity: Entity, among entities: [Entity]) -> [Column] {
    entity.relationships.flatMap { relationship -> [Column] in
        guard case .foreignKey(let foreignKey) = relationship.storage,
            let destination = entities.first(where: { $0.name == relationship.destination })
        else { return [] }
        var columns = zip(foreignKey.columns, destination.identity.keyAttributes).map { column, key in
            Column(
                name: column, property: foreignKey.property,
                content: .foreignKey(relationship: relationship.name, attribute: key),
                type: destination.attributes.first { $0.name == key }?.type ?? .scalar(.int),
                isOptional: relationship.isOptional
            )
        }
        if let position = foreignKey.positionColumn {
            let content = Column.Content.position(relationship: relationship.name, inverse: relationship.inverse ?? "")
            columns.append(
                Column(name: position, property: position, content: content, type: .scalar(.int), isOptional: true)
            )
        }
        return columns
    }
}

/// `ProductReview` and `productReview` as `product_review`.
private func snake(_ name: String) -> String {
    var result = ""
    for character in name {
        if character.isUppercase, !result.isEmpty { result += "_" }
        result += character.lowercased()
    }
    return result
}
