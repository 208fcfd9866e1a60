/// The names of the members of each entity, as columns compare them.
struct MemberNames {
    private var taken: [String: Set<String>] = [:]

    init(_ sketch: SchemaSketch) {
        for entity in sketch.entities {
            taken[entity.name] = Set((entity.attributes + entity.relationships).map { Self.plain($0.name) })
        }
    }

    /// The name, or one with a number if a member has it. It counts as taken afterwards.
    mutating func free(_ name: String, in entity: String) -> String {
        let free = freeName(name) { taken[entity]?.contains(Self.plain($0)) == true }
        taken[entity, default: []].insert(Self.plain(free))
        return free
    }

    /// Names that become one column are the same.
    static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
}
