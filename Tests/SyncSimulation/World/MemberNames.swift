import LockstepStore

/// Which records a server has had inside of others, and has no more.
struct MemberNames {
    struct Name: Hashable {
        let entity: String
        let name: String
    }

    private var present: Set<Name> = []
    private(set) var lost: Set<Name> = []

    /// Sees what there is now.
    mutating func look(at server: SimulatedServer) {
        var now: Set<Name> = []
        for entity in server.domain.entities where entity.container != nil {
            for (_, record) in server.records(of: entity) {
                guard let name = record[entity.nameField.key]?.plain else { continue }
                now.insert(Name(entity: entity.name, name: name))
            }
        }
        lost.formUnion(present.subtracting(now))
        present = now
    }
}
