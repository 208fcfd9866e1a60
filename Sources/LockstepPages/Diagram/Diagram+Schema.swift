package import LockstepSchema

extension Diagram {
    /// The diagram of a schema.
    ///
    /// - Parameter hasOnlyKeys: Whether attributes that are not keys are omitted.
    package init(_ schema: Schema, hasOnlyKeys: Bool = false) {
        let entities = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.name, $0) })
        self.init(
            name: schema.name, version: schema.version,
            boxes: schema.entities.map { DiagramBox($0, hasOnlyKeys: hasOnlyKeys) },
            links: schema.entities.flatMap { entity in
                entity.relationships.compactMap { DiagramLink($0, of: entity, in: entities) }
            } + schema.joinTables.compactMap { DiagramLink($0, in: entities) })
    }
}

extension DiagramBox {
    fileprivate init(_ entity: Entity, hasOnlyKeys: Bool) {
        let attributes = entity.attributes.map { Row($0, of: entity) }
        let links = entity.relationships.compactMap { Row($0, of: entity) }
        let identity = attributes.filter { $0.keys.contains(.primary) }
        let others = attributes.filter { !$0.keys.contains(.primary) } + links
        self.init(
            entity: entity.name, documentation: entity.documentation, isLocal: entity.remote == nil,
            scope: entity.scope?.text,
            rows: identity + (hasOnlyKeys ? others.filter { !$0.keys.isEmpty } : others))
    }
}

extension RecordScope {
    fileprivate var text: String {
        switch self {
        case .own: "self"
        case .everyone: "public"
        case .attribute(let name), .relationship(let name): name
        }
    }
}

extension DiagramBox.Row {
    fileprivate init(_ attribute: Attribute, of entity: Entity) {
        var keys: [DiagramBox.Key] = []
        if entity.identity.keyAttributes.contains(attribute.name) { keys.append(.primary) }
        if attribute.isUnique || entity.identity.remoteAttribute == attribute.name { keys.append(.unique) }
        self.init(
            name: attribute.name, type: attribute.type.text, isOptional: attribute.isOptional,
            isTransient: attribute.isTransient, keys: keys)
    }

    /// `nil` for a relationship without a foreign key.
    fileprivate init?(_ relationship: Relationship, of entity: Entity) {
        guard case .foreignKey(let key) = relationship.storage else { return nil }
        let isUnique = entity.indexes.contains { $0.isUnique && $0.columns == key.columns }
        self.init(
            name: relationship.name, type: relationship.destination, isOptional: relationship.isOptional,
            keys: isUnique ? [.foreign, .unique] : [.foreign])
    }
}

extension DiagramLink {
    /// The link of a foreign key; `nil` if the relationship has none.
    fileprivate init?(_ relationship: Relationship, of entity: Entity, in entities: [String: Entity]) {
        guard case .foreignKey = relationship.storage else { return nil }
        let inverse = entities[relationship.destination]?.relationship(relationship.inverse)
        let isToOne = inverse.map { !$0.isToMany } ?? false
        self.init(
            parent: End(
                entity: relationship.destination, relationship: inverse,
                count: relationship.isOptional ? .zeroOrOne : .one),
            child: End(entity: entity.name, relationship: relationship, count: isToOne ? .zeroOrOne : .zeroOrMore))
    }

    /// The link of a join table.
    fileprivate init?(_ table: JoinTable, in entities: [String: Entity]) {
        let left = entities[table.left.entity]?.relationship(table.left.relationship)
        let right = entities[table.right.entity]?.relationship(table.right.relationship)
        self.init(
            parent: End(entity: table.left.entity, relationship: left, count: Self.count(of: right)),
            child: End(entity: table.right.entity, relationship: right, count: Self.count(of: left)))
    }

    /// The cardinality of a relationship. One that is its own inverse has a join table even if it is to-one.
    private static func count(of relationship: Relationship?) -> Count {
        relationship?.isToMany ?? true ? .zeroOrMore : .zeroOrOne
    }
}

extension DiagramLink.End {
    fileprivate init(entity: String, relationship: Relationship?, count: DiagramLink.Count) {
        let declared = relationship.flatMap { $0.isImplied ? nil : $0 }
        self.init(
            entity: entity, relationship: declared?.name, deleteRule: declared?.onDelete ?? .nullify,
            isEmbedding: declared?.wire.isEmbedded ?? false, count: count)
    }
}

extension Entity {
    fileprivate func relationship(_ name: String?) -> Relationship? {
        relationships.first { $0.name == name }
    }
}

extension IdentityStructure {
    fileprivate var remoteAttribute: String? {
        if case .local(_, remote: let remote) = self { remote } else { nil }
    }
}

extension RelationshipWire {
    fileprivate var isEmbedded: Bool {
        if case .embedded = self { true } else { false }
    }
}

extension AttributeType {
    /// The type as the schema writes it, without optionality: `string`, `Mood`, `[date]`.
    package var text: String {
        switch self {
        case .scalar(let type): type.rawValue
        case .enumeration(let name), .custom(let name): name
        case .list(let element): "[\(element.text)]"
        case .attachment: "attachment"
        }
    }
}
