/// The identity of an entity's records: the first that applies of the user info, a uniqueness constraint, and an
/// attribute with a usual name.
struct CoreDataIdentity {
    private(set) var attributes: [CoreDataAttribute] = []

    init(_ entity: CoreDataEntity, notes: ImportNotes) {
        let all = entity.allAttributes
        if let found = Self.ofUserInfo(entity, all: all, notes: notes) {
            attributes = found
            let names = found.map(\.name).joined(separator: ", ")
            notes.decided(entity.line, text: "\(entity.name): its identity is \(names), by its user info")
            return
        }
        for constraint in Self.constraints(of: entity) {
            let found = constraint.compactMap { entity.allAttributesByName[$0] }
            guard found.count == constraint.count, Set(constraint).count == constraint.count,
                found.allSatisfy(\.isSuitable)
            else { continue }
            attributes = found
            notes.decided(
                entity.line,
                text: "\(entity.name): its identity is \(constraint.joined(separator: ", ")), which is unique")
            return
        }
        if let found = Self.ofName(entity, all: all) {
            attributes = [found]
            notes.decided(entity.line, text: "\(entity.name): its identity is '\(found.name)', by its name")
            return
        }
        notes.decided(
            entity.line,
            text: "\(entity.name): nothing identifies its records, so each gets a new 'localID' on the device",
            help: "If an attribute identifies them, write 'identity:' and remove 'localID'.")
    }

    private static func ofName(_ entity: CoreDataEntity, all: [CoreDataAttribute]) -> CoreDataAttribute? {
        func first(_ names: [String]) -> CoreDataAttribute? {
            names.lazy.compactMap { name in all.last { $0.name == name && isUsual($0) } }.first
        }
        let names = all.map(\.name)
        let destinations = Set(entity.relationships.map { IdentityNames.plain($0.destination) })
        let usual = IdentityNames.identities(in: names, of: entity.name, isOther: destinations.contains)
        if let usual = first(usual) { return usual }
        return first(IdentityNames.listedIdentities(in: names, of: entity.name, isOther: destinations.contains))
    }

    private static func ofUserInfo(
        _ entity: CoreDataEntity, all: [CoreDataAttribute], notes: ImportNotes
    ) -> [CoreDataAttribute]? {
        let marked = all.filter(\.isIdentity)
        if !marked.isEmpty { return marked }
        var (names, level): ([String], CoreDataEntity?) = ([], entity)
        while names.isEmpty, let current = level { (names, level) = (current.identityNames, current.parent) }
        let found = names.compactMap { entity.allAttributesByName[$0] }
        if !names.isEmpty, found.count < names.count || !found.allSatisfy(\.isSuitable) {
            notes.left(
                entity.line, text: "\(entity.name): the identity \(names.joined(separator: ", ")) of its user info"
            )
            return nil
        }
        return found.isEmpty ? nil : found
    }

    /// The constraints of an entity and its ancestors, by the names of their members.
    private static func constraints(of entity: CoreDataEntity) -> [[String]] {
        entity.constraints.map(\.members).filter { !$0.isEmpty } + (entity.parent.map(constraints) ?? [])
    }

    private static func isUsual(_ attribute: CoreDataAttribute) -> Bool {
        guard attribute.isSuitable, case .scalar(let scalar) = attribute.type else { return false }
        return scalar == .string || scalar == .uuid || scalar.isInteger
    }
}
