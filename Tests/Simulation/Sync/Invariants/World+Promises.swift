import LockstepStore
import LockstepSync
import LockstepTesting

extension World {
    /// Writes down what a device has edited: all of it must reach the server, or be explained.
    func notePromises(_ device: Device, _ before: Snapshot, _ after: Snapshot) {
        for entity in domain.entities {
            let (old, new) = (before.rows[entity.table] ?? [:], after.rows[entity.table] ?? [:])
            device.promises.removeAll { $0.table == entity.table && new[$0.record] == nil }
            for (key, row) in new {
                for field in entity.fields {
                    let value = row[field.name] ?? .null
                    guard old[key]?[field.name] != value, !value.isNull else { continue }
                    device.promises.removeAll {
                        $0.table == entity.table && $0.record == key && $0.column == field.name
                    }
                    device.promises.append(
                        Promise(
                            table: entity.table, path: entity.path, record: key, column: field.name, key: field.key,
                            value: value, json: entity.json(value, field)))
                }
            }
        }
    }

    /// Forgets what a person has given up.
    func forgetPromises(_ device: Device, _ before: Snapshot, _ after: Snapshot) {
        device.promises.removeAll { promise in
            after.rows[promise.table]?[promise.record]?[promise.column] != promise.value
                || before.isPending(promise, domain) && !after.isPending(promise, domain)
        }
    }

    /// After a device has synced: what the policy has decided against is no promise any more. By `localChangesWin` it
    /// decides against nothing, and what a device lets go of must have reached the server, but for values that the
    /// server does not apply (P21).
    func reconcilePromises(_ device: Device, _ before: Snapshot, _ after: Snapshot) {
        moveAbsorbedPromises(device, before, after)
        device.promises.removeAll { promise in
            (scenario.policy != .localChangesWin || SimulatedServer.ignores(promise.value))
                && after.rows[promise.table]?[promise.record]?[promise.column] != promise.value
        }
    }

    /// The edits of a record that turned out to be a second row of another are that one's.
    private func moveAbsorbedPromises(_ device: Device, _ before: Snapshot, _ after: Snapshot) {
        device.promises = device.promises.compactMap { promise in
            guard let entity = domain.entity(ofTable: promise.table), after.rows[promise.table]?[promise.record] == nil,
                let old = before.rows[promise.table]?[promise.record],
                let own = absorbing(entity, old, before, after)
            else { return promise }
            guard after.rows[promise.table]?[own]?[promise.column] == promise.value else { return nil }
            var moved = promise
            moved.record = own
            return moved
        }
    }

    /// In the end each promise was kept: the value has reached the server, or waits with a reason.
    func checkPromises() async throws {
        let reached = server.reachedValues
        for device in devices {
            let snapshot = try await device.snapshot()
            for promise in device.promises {
                if reached.contains(promise.written) { continue }
                if snapshot.isPending(promise, domain) { continue }
                throw Violation(
                    rule: 3,
                    what: """
                        \(device.name)'s edit \(promise.table) \(promise.record) \(promise.column) = \
                        \(promise.value.keyText) never reached the server and is not pending
                        """)
            }
        }
    }

    /// What others have written beside the members that the devices know stays as long as the record does.
    func checkUnknownMembers() throws {
        var expected: [String: JSONValue] = [:]
        for change in server.effects(of: server.changes) {
            guard let key = change.key else { continue }
            let place = "\(change.path)/\(key)"
            if change.kind != .updated { expected[place] = nil }
            if let value = change.json[SimulatedServer.unknownMember] { expected[place] = value }
        }
        for entity in domain.entities where entity.container == nil || Guarantees.of(scenario.server).listsAreMerged {
            for (key, record) in server.records(of: entity) {
                let place = "\(entity.path)/\(key)"
                guard let value = expected[place], record[SimulatedServer.unknownMember] != value else { continue }
                throw Violation(rule: 3, what: "\(place) has lost a member that no device knows: \(value.plain)")
            }
        }
    }

    /// Each value on the server was written by somebody.
    func checkServerValues() throws {
        for entity in domain.entities {
            for (key, record) in server.records(of: entity) {
                for field in entity.fields {
                    guard let value = record[field.key], value != .null, field.kind != .date else { continue }
                    if written.contains(WrittenValue(path: entity.path, key: field.key, value: value)) { continue }
                    throw Violation(
                        rule: 3, what: "nobody has written \(field.key) = \(value.plain) of \(entity.path)/\(key)")
                }
            }
        }
    }
}

extension SimulatedServer {
    /// Every value that was ever written.
    var reachedValues: Set<World.WrittenValue> {
        var reached: Set<World.WrittenValue> = []
        for effect in effects(of: changes) {
            guard case .object(let members) = effect.json else { continue }
            for (key, value) in members {
                reached.insert(World.WrittenValue(path: effect.path, key: key, value: value))
            }
        }
        return reached
    }
}

extension Promise {
    var written: World.WrittenValue { World.WrittenValue(path: path, key: key, value: json) }
}

extension Snapshot {
    /// Whether an edit waits in the outbox, or the record does that it goes to the server with.
    func isPending(_ promise: Promise, _ domain: Domain) -> Bool {
        let entity = domain.entity(ofTable: promise.table)
        let owner = entity.flatMap { root(of: $0, promise.record, domain) }
        return pending.contains { change in
            if change.table == promise.table, change.key == promise.record { return true }
            guard let owner else { return false }
            return change.table == owner.entity.table && change.key == owner.key
        }
    }
}
