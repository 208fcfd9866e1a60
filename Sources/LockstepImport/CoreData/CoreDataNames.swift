import LockstepSchema

/// The names that entities and their members get.
struct CoreDataNames {
    private var entities: [String: String] = [:]
    private var bases: [String: String] = [:]
    private var enumerations: [String: String] = [:]
    private var types: Set<String> = []
    /// Those of the members of all entities, of which many have the same.
    private var members: [String: String] = [:]

    /// - Parameter schema: The name of the schema, whose type has a name, too.
    init(_ list: [CoreDataEntity], enums paths: [String], schema: String) {
        var names = UniqueTypeNames(schema: schema)
        for entity in list { entities[entity.name] = names.unique(entity.name) }
        for entity in list where !entity.isAbstract && !entity.children.isEmpty {
            bases[entity.name] = names.unique("\(self.entity(entity))Base")
        }
        for path in paths { enumerations[path] = names.unique(String(path.split(separator: ".").last ?? "")) }
        types = names.all
        for name in list.flatMap({ $0.attributes.map(\.name) + $0.relationships.map(\.name) })
        where members[name] == nil {
            members[name] = UsableName.member(name, types: types)
        }
    }

    /// The name of an entity with records.
    func entity(_ entity: CoreDataEntity) -> String { entities[entity.name] ?? entity.name }

    /// The name of the abstract entity that its children extend.
    func base(_ entity: CoreDataEntity) -> String { bases[entity.name] ?? self.entity(entity) }

    /// The name of an enum, by the path of its type.
    func enumeration(_ path: String) -> String { enumerations[path] ?? path }

    func member(_ name: String) -> String { members[name] ?? UsableName.member(name, types: types) }

    /// Reports a member that has another name in the schema.
    func report(_ property: some CoreDataProperty, to notes: ImportNotes, help: String?) {
        let name = member(property.name)
        if name == property.name { return }
        let isShort =
            property.name.utf8.count > UsableName.longest
            && property.name.unicodeScalars.starts(with: name.unicodeScalars)
        notes.decided(
            property.line,
            text: "\(property.subject) is '\(name)': the name is "
                + (isShort ? "too long" : "reserved, or not a valid name in Swift"),
            help: help)
    }

    /// A name that no member of an entity has.
    func free(_ name: String, in entity: CoreDataEntity) -> String {
        let names = entity.allAttributes.map(\.name) + entity.relationships.map(\.name)
        let taken = Set(names.map(MemberNames.plain))
        return freeName(name) { taken.contains(MemberNames.plain($0)) }
    }
}
