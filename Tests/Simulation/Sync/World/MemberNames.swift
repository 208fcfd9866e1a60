import LockstepStore
import LockstepTesting

/// Which records inside of others may be on a server more than once: those that it has had under identities that it has
/// no more, those that have left their owners, where a device has read the former owner alone and makes them again
/// there, and those that others have edited while their device did not know whether they had arrived (R10.4).
struct MemberNames {
    struct Name: Hashable {
        let entity: String
        let name: String
    }

    private struct Record: Hashable {
        let name: Name
        let key: String
    }

    private var owners: [Record: String] = [:]
    private var lost: Set<Name> = []
    private var moved: Set<Name> = []
    private var madeAgain: Set<Name> = []
    /// Those whose identity their device does not know, with the device.
    private var unnamed: [Name: String] = [:]
    private var unrecognized: Set<Name> = []

    /// Whether C3 and R10.4 make no promise that there is only one of a name.
    func mayRepeat(_ name: Name) -> Bool {
        lost.contains(name) || unrecognized.contains(name) || moved.contains(name) && madeAgain.contains(name)
    }

    /// Sees what there is now.
    mutating func look(at server: SimulatedServer) {
        var now: [Record: String] = [:]
        for entity in server.domain.entities {
            guard let container = entity.container else { continue }
            for (key, record) in server.records(of: entity) {
                guard let name = record[entity.nameField.key]?.plain else { continue }
                let owner = SimulatedServer.text(record[container.link.key] ?? .null)
                now[Record(name: Name(entity: entity.name, name: name), key: key)] = owner
            }
        }
        for (record, owner) in owners {
            switch now[record] {
            case nil: lost.insert(record.name)
            case owner: break
            default: moved.insert(record.name)
            }
        }
        owners = now
    }

    /// Sees what others edit.
    mutating func noteEdit(of name: Name) {
        if unnamed[name] != nil { unrecognized.insert(name) }
    }

    /// Sees what a device does not know the identity of, and what it is about to make that the server has had.
    mutating func look(at snapshot: Snapshot, of device: String, _ domain: Domain) {
        for entity in domain.entities where entity.container != nil {
            guard let remote = entity.plan.remoteColumn.map({ entity.plan.columns[$0].name }) else { continue }
            for (key, row) in snapshot.rows[entity.table] ?? [:] {
                guard let text = (row[entity.nameField.name]?.keyText).map({ JSONValue.string($0).plain }) else {
                    continue
                }
                let name = Name(entity: entity.name, name: text)
                if row[remote]?.isNull == true {
                    unnamed[name] = device
                } else {
                    if unnamed[name] == device { unnamed[name] = nil }
                    if snapshot.pending(entity, key)?.change == .create { madeAgain.insert(name) }
                }
            }
        }
    }
}
