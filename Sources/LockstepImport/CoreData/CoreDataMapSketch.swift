/// The mapping of parts of a Core Data model to parts of a schema, so that its rows can be copied.
struct CoreDataMapSketch {
    struct Entity {
        let name: String
        let parent: String?
        /// The entity with the records; `nil` for an abstract one.
        let becomes: String?
        let localID: String?
        let attributes: [Attribute]
        let relationships: [Relationship]
    }

    struct Attribute {
        let name: String
        /// The type as the map has it.
        let type: String
        let isExternal: Bool
        let becomes: String
    }

    struct Relationship: Hashable {
        let name: String
        let destination: String
        let inverse: String?
        let isToMany: Bool
        let isOrdered: Bool
        /// The names in the schema, by their destinations in the schema.
        let becomes: [String: String]
    }

    let entities: [Entity]

    /// - Parameter sketch: After its repair, which gives members other names and leaves some out.
    init(_ model: CoreDataModel, names: CoreDataNames, sketch: SchemaSketch) {
        let sketches = Dictionary(sketch.entities.map { ($0.name, $0) }) { first, _ in first }
        entities = model.entities.map { Self.entity($0, names: names, sketches: sketches) }
    }

    private static func entity(
        _ entity: CoreDataEntity, names: CoreDataNames, sketches: [String: EntitySketch]
    ) -> Entity {
        let own = sketches[names.entity(entity)]
        let members = sketches[names.base(entity)]?.attributes ?? []
        let attributes = members.compactMap { attribute($0, of: entity) }
        let identity = own?.identity.names ?? []
        let key = identity.count == 1 ? own?.attributes.first { $0.name == identity[0] } : nil
        var relationships: [Relationship] = []
        for relationship in entity.relationships {
            let found = entity.concrete.map { targets(of: relationship, owner: sketches[names.entity($0)]) }
            // Descendants whose members have other names have an entry of their own.
            guard let usual = found.first(where: { !$0.isEmpty }) else { continue }
            relationships.append(self.relationship(relationship, becomes: usual))
        }
        var ancestor = entity.isAbstract ? nil : entity.parent
        while let current = ancestor {
            for relationship in current.relationships {
                let all = current.concrete.map { targets(of: relationship, owner: sketches[names.entity($0)]) }
                let becomes = targets(of: relationship, owner: own)
                guard let usual = all.first(where: { !$0.isEmpty }), becomes != usual else { continue }
                relationships.append(self.relationship(relationship, becomes: becomes))
            }
            ancestor = current.parent
        }
        return Entity(
            name: entity.name, parent: entity.parent?.name, becomes: entity.isAbstract ? nil : names.entity(entity),
            localID: key.flatMap { $0.source == nil ? $0.name : nil }, attributes: attributes,
            relationships: relationships)
    }

    private static func attribute(_ member: MemberSketch, of entity: CoreDataEntity) -> Attribute? {
        guard let name = member.source, let attribute = entity.attributes.first(where: { $0.name == name }),
            !attribute.isTransient, let type = type(attribute.type)
        else { return nil }
        return Attribute(name: name, type: type, isExternal: attribute.isExternal, becomes: member.name)
    }

    private static func targets(of relationship: CoreDataRelationship, owner: EntitySketch?) -> [String: String] {
        let members = owner?.relationships.filter { $0.source == relationship.name } ?? []
        return Dictionary(members.map { ($0.type.name, $0.name) }) { first, _ in first }
    }

    private static func relationship(_ relationship: CoreDataRelationship, becomes: [String: String]) -> Relationship {
        Relationship(
            name: relationship.name, destination: relationship.destination, inverse: relationship.inverse,
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, becomes: becomes)
    }

    /// The type as the map has it; `nil` for what no row has.
    private static func type(_ type: CoreDataType) -> String? {
        switch type {
        case .scalar(let scalar), .enumeration(_, let scalar): scalar.rawValue.lowercased().filter { $0 != " " }
        case .transformable, .enumerationList: "transformable"
        case .composite: "composite"
        case .derived, .undefined, .other: nil
        }
    }
}
