/// The identity of an entity's records: the first that applies of the user info, a uniqueness constraint, and an
/// attribute with a usual name.
struct CoreDataIdentity {
    private(set) var attributes: [CoreDataProperty] = []

    init(_ entity: CoreDataEntity, notes: CoreDataNotes) {
        let all = entity.allAttributes
        if let found = Self.ofUserInfo(entity, all: all, notes: notes) {
            attributes = found
            let names = found.map(\.name).joined(separator: ", ")
            notes.decided(entity.node.line, text: "\(entity.name): its identity is \(names), by its user info")
            return
        }
        for constraint in Self.constraints(of: entity) {
            let found = constraint.compactMap { name in all.last { $0.name == name } }
            guard found.count == constraint.count, Set(constraint).count == constraint.count,
                found.allSatisfy(Self.isSuitable)
            else { continue }
            attributes = found
            notes.decided(
                entity.node.line,
                text: "\(entity.name): its identity is \(constraint.joined(separator: ", ")), which is unique")
            return
        }
        if let found = Self.ofName(entity, all: all) {
            attributes = [found]
            notes.decided(entity.node.line, text: "\(entity.name): its identity is '\(found.name)', by its name")
            return
        }
        notes.decided(
            entity.node.line,
            text: "\(entity.name): nothing identifies its records, so each gets a new 'localID' on the device",
            help: "If an attribute identifies them, write 'identity:' and remove 'localID'.")
    }

    private static func ofName(_ entity: CoreDataEntity, all: [CoreDataProperty]) -> CoreDataProperty? {
        let destinations = Set(
            entity.relationships.compactMap { $0.node["destinationEntity"].map(IdentityNames.plain) })
        let names = all.map(\.name)
        let usual = IdentityNames.identities(in: names, of: entity.name)
        let listed = IdentityNames.listedIdentities(in: names, of: entity.name, isOther: destinations.contains)
        return (usual + listed).lazy.compactMap { name in all.last { $0.name == name && isUsual($0) } }.first
    }

    private static func ofUserInfo(
        _ entity: CoreDataEntity, all: [CoreDataProperty], notes: CoreDataNotes
    ) -> [CoreDataProperty]? {
        let marked = all.filter { isSuitable($0) && $0.userInfo.isSet("sync.isPrimaryKey", "hyper.isPrimaryKey") }
        if !marked.isEmpty { return marked }
        var named: String?
        var level: CoreDataEntity? = entity
        while named == nil, let current = level {
            named = current.userInfo.value("identityAttribute", "identityAttributes", "relatedByAttribute")
            level = current.parent
        }
        let names = named?.split { $0 == "," || $0 == " " }.map(String.init) ?? []
        let found = names.compactMap { name in all.last { $0.name == name } }
        if !names.isEmpty, found.count < names.count || !found.allSatisfy(isSuitable) {
            notes.left(
                entity.node.line, text: "\(entity.name): the identity \(names.joined(separator: ", ")) of its user info"
            )
            return nil
        }
        return found.isEmpty ? nil : found
    }

    /// The constraints of an entity and its ancestors, by the names of their members.
    static func constraints(of entity: CoreDataEntity) -> [[String]] {
        let own = entity.node.all("uniquenessConstraints").flatMap { $0.all("uniquenessConstraint") }.map {
            constraint in
            constraint.all("constraint").compactMap { $0["value"] }
        }
        return own.filter { !$0.isEmpty } + (entity.parent.map(constraints) ?? [])
    }

    private static func isSuitable(_ attribute: CoreDataProperty) -> Bool {
        let type = attribute.node["attributeType"] ?? ""
        return !attribute.node.isYes("transient")
            && !["Binary", "Transformable", "Undefined", "", "Composite"].contains(type)
            && !attribute.node.isYes("derived") && attribute.node["enumeration"] == nil
    }

    private static func isUsual(_ attribute: CoreDataProperty) -> Bool {
        let types = ["String", "UUID", "Integer 16", "Integer 32", "Integer 64"]
        return isSuitable(attribute) && types.contains(attribute.node["attributeType"] ?? "")
    }
}
