import Foundation

/// A map by the names of its entities, with what they inherit.
struct MapIndex {
    let entities: [String: CoreDataMap.Entity]
    /// In the order of the map.
    let names: [String]
    /// The names of each entity and of those that extend it, in the order of the map.
    private var kinds: [String: [String]] = [:]

    /// - Throws: ``CoreDataError`` if an entity is there twice, or is its own ancestor.
    init(_ map: CoreDataMap, url: URL) throws(CoreDataError) {
        names = map.entities.map(\.name)
        entities = Dictionary(map.entities.map { ($0.name, $0) }) { first, _ in first }
        func wrong(_ reason: String) -> CoreDataError {
            CoreDataError(
                .wrongMap, url: url, reason: reason,
                remedy: "Correct the map, or write it again with `lockstep import --rows`.")
        }
        guard entities.count == names.count else { throw wrong("an entity occurs twice in the map") }
        for entity in map.entities {
            guard lineage(of: entity.name).last?.parent == nil else {
                throw wrong("the parents of “\(entity.name)” are not in the map, or form a cycle")
            }
            for ancestor in lineage(of: entity.name) { kinds[ancestor.name, default: []].append(entity.name) }
        }
    }

    /// An entity and its ancestors in the map.
    func lineage(of name: String) -> [CoreDataMap.Entity] {
        var lineage: [CoreDataMap.Entity] = []
        var next: String? = name
        while let name = next, let entity = entities[name], !lineage.contains(where: { $0.name == name }) {
            lineage.append(entity)
            next = entity.parent
        }
        return lineage
    }

    func attributes(of name: String) -> [(owner: String, attribute: CoreDataMap.Attribute)] {
        lineage(of: name).reversed().flatMap { entity in entity.attributes.map { (entity.name, $0) } }
    }

    /// The relationships, each with the entity that declares it first, and as the nearest entity describes it.
    func relationships(of name: String) -> [(owner: String, relationship: CoreDataMap.Relationship)] {
        var found: [(owner: String, relationship: CoreDataMap.Relationship)] = []
        for entity in lineage(of: name).reversed() {
            for relationship in entity.relationships {
                if let index = found.firstIndex(where: { $0.relationship.name == relationship.name }) {
                    found[index].relationship = relationship
                } else {
                    found.append((entity.name, relationship))
                }
            }
        }
        return found
    }

    /// The relationships that an entity declares and does not inherit.
    func declared(by entity: CoreDataMap.Entity) -> [CoreDataMap.Relationship] {
        relationships(of: entity.name).filter { $0.owner == entity.name }.map(\.relationship)
    }

    /// The inverse of a relationship, with the entity that declares it; `nil` if it has none.
    func inverse(of relationship: CoreDataMap.Relationship) -> (owner: String, relationship: CoreDataMap.Relationship)?
    {
        relationship.inverse.flatMap { name in
            relationships(of: relationship.destination).first { $0.relationship.name == name }
        }
    }

    func kinds(of name: String) -> [String] { kinds[name] ?? [] }

    /// Whether an entity is another one, or extends it.
    func isKind(_ name: String, of other: String) -> Bool { lineage(of: name).contains { $0.name == other } }
}
