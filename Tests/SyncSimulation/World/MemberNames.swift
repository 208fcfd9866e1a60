import LockstepStore

/// Which records a server has had inside of others under identities that it has no more.
struct MemberNames {
    struct Name: Hashable {
        let entity: String
        let name: String
    }

    private struct Record: Hashable {
        let name: Name
        let key: String
    }

    private var present: Set<Record> = []
    private(set) var lost: Set<Name> = []

    /// Sees what there is now.
    mutating func look(at server: SimulatedServer) {
        var now: Set<Record> = []
        for entity in server.domain.entities where entity.container != nil {
            for (key, record) in server.records(of: entity) {
                guard let name = record[entity.nameField.key]?.plain else { continue }
                now.insert(Record(name: Name(entity: entity.name, name: name), key: key))
            }
        }
        lost.formUnion(present.subtracting(now).map(\.name))
        present = now
    }
}
