/// The names of the members of each entity, as columns compare them.
struct MemberNames {
    private var taken: [String: Set<String>] = [:]

    init() {}

    init(_ sketch: SchemaSketch) {
        for entity in sketch.entities {
            taken[entity.name] = Set((entity.attributes + entity.relationships).map { Self.plain($0.name) })
        }
    }

    func isTaken(_ name: String, in entity: String) -> Bool { taken[entity]?.contains(Self.plain(name)) == true }

    /// The name, or one with a number if a member has it. It counts as taken afterwards.
    ///
    /// - Parameter hasKey: Whether the name of its key must be free, too.
    mutating func free(_ name: String, in entity: String, hasKey: Bool = false) -> String {
        let free = freeName(name) { isTaken($0, in: entity) || hasKey && isTaken($0 + "ID", in: entity) }
        taken[entity, default: []].insert(Self.plain(free))
        if hasKey { taken[entity, default: []].insert(Self.plain(free + "ID")) }
        return free
    }

    /// Names that become one column are the same.
    static func plain(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.utf8.contains(UInt8(ascii: "_")) ? lower.filter { $0 != "_" } : lower
    }
}
