import LockstepSchema

/// The names that entities and their members get.
struct CoreDataNames {
    private var entities: [String: String] = [:]
    private var bases: [String: String] = [:]
    private var types: Set<String> = []

    init(_ list: [CoreDataEntity]) {
        for entity in list {
            let name = unique(UsableName.type(entity.name))
            entities[entity.name] = name
            types.insert(name)
        }
        for entity in list { bases[entity.name] = entities[entity.name] }
    }

    private func unique(_ name: String) -> String {
        var (candidate, number) = (name, 2)
        while types.contains(candidate) { (candidate, number) = ("\(name)\(number)", number + 1) }
        return candidate
    }

    /// The name of an entity with records.
    func entity(_ entity: CoreDataEntity) -> String { entities[entity.name] ?? entity.name }

    /// The name of the abstract entity that its children extend.
    func base(_ entity: CoreDataEntity) -> String {
        if entity.isAbstract { return self.entity(entity) }
        return unique("\(self.entity(entity))Base")
    }

    func member(_ name: String, of entity: CoreDataEntity) -> String { UsableName.member(name, types: types) }

    /// A name that no member of an entity has.
    func free(_ name: String, in entity: CoreDataEntity) -> String {
        let taken = Set((entity.allAttributes + entity.relationships).map { $0.name.lowercased() })
        var (candidate, number) = (name, 2)
        while taken.contains(candidate.lowercased()) { (candidate, number) = ("\(name)\(number)", number + 1) }
        return candidate
    }
}
