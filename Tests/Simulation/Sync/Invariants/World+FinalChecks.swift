import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting

extension World {
    /// Rule 4: what is left in an outbox was refused, or needs what was.
    func checkOutboxes() async throws {
        for device in devices {
            let snapshot = try await device.snapshot()
            // What waits inside of a record is told of by that one alone.
            if let hidden = snapshot.pending.first,
                snapshot.pending.allSatisfy({ domain.entity($0.entity)?.plan.travelsInside == true })
            {
                throw Violation(
                    rule: 4,
                    what: """
                        \(device.name)'s \(hidden.change) of \(hidden.entity) \(hidden.key) waits, and nobody is told: \
                        \(hidden.error ?? "no error")
                        """)
            }
            let hasParked = snapshot.pending.contains { $0.parkedStatus != nil }
            for pending in snapshot.pending where pending.parkedStatus == nil {
                if hasParked { continue }
                throw Violation(
                    rule: 4,
                    what: """
                        \(device.name)'s \(pending.change) of \(pending.entity) \(pending.key) is still to be sent, and \
                        nothing is parked: \(pending.error ?? "no error")
                        """)
            }
        }
    }

    /// Rule 4: every device has what a new one gets from the server, but for what is parked.
    func checkDevices(isFinal: Bool) async throws {
        let fresh = try await freshSnapshot()
        for device in devices {
            let snapshot = try await device.snapshot()
            if isFinal, let pending = snapshot.pending.first {
                throw Violation(
                    rule: 4,
                    what: "\(device.name)'s outbox still has \(pending.change) of \(pending.entity) \(pending.key)")
            }
            let left = try leftOut(snapshot)
            let (mine, theirs) = (snapshot.asOnServer(domain), fresh.asOnServer(domain))
            let all = left + mine.members(of: left, domain) + theirs.members(of: left, domain)
            let difference = theirs.without(all, domain).difference(from: mine.without(all, domain))
            guard difference.isEmpty else {
                throw Violation(
                    rule: 4,
                    what: """
                        \(device.name) differs from a new device that pulled everything (-: the new one's, +: \
                        \(device.name)'s):
                        \(difference.joined(separator: "\n"))
                        """)
            }
        }
    }

    /// The records that a device must not have as the server has them.
    private func leftOut(_ snapshot: Snapshot) throws -> [(table: String, key: String)] {
        var left: [(String, String)] = []
        for pending in snapshot.pending {
            guard let entity = domain.entity(pending.entity) else { continue }
            left.append((entity.table, pending.key))
            guard let remote = entity.plan.remoteColumn else { continue }
            let name = entity.plan.columns[remote].name
            let identity = snapshot.rows[entity.table]?[pending.key]?[name] ?? pending.base?[name] ?? .null
            left.append((entity.table, identity.isNull ? "only here, \(pending.key)" : identity.keyText))
        }
        return left
    }

    /// What a device has that pulls everything for the first time.
    private func freshSnapshot() async throws -> Snapshot {
        let store = try freshStore("fresh")
        defer { try? store.close() }
        for entity in domain.followed { try await merge(entity, into: store, isTyped: false) }
        return try await Snapshot(of: store, domain)
    }

    private func freshStore(_ name: String) throws -> Store {
        try domain.openStore(at: folder.appendingPathComponent("\(name)-\(UUID().uuidString).sqlite"))
    }

    private func merge(_ entity: DomainEntity, into store: Store, isTyped: Bool) async throws {
        let (json, shape) = server.body(of: entity)
        var options = MergeOptions(records: .all, payload: shape, missingKeys: server.missingKeys)
        options.listsIdentities = false
        try await Self.merge(json.json(), into: entity.type, store, options, isTyped: isTyped)
    }

    private static func merge<Object: Model>(
        _ json: Data, into type: Object.Type, _ store: Store, _ options: MergeOptions, isTyped: Bool
    ) async throws {
        guard isTyped else {
            try await store.merge(json, into: type, options: options)
            return
        }
        try await store.merge(JSONDecoder().decode(LossyRepresentations<Object>.self, from: json), options: options)
    }

    // MARK: All

    func checkEverything() async throws {
        try await checkDevices(isFinal: true)
        try checkServerValues()
        try checkUnknownMembers()
        try await checkPromises()
        try checkEffects()
        try checkSessions()
        try await checkIdentities()
        try await checkMergingAgain()
        try await checkRoads()
    }

    /// Rule 1: merging what the server has once more changes nothing.
    private func checkMergingAgain() async throws {
        for device in devices {
            let before = try await device.snapshot()
            for entity in domain.followed { try await merge(entity, into: device.store, isTyped: false) }
            let difference = before.difference(from: try await device.snapshot())
            guard difference.isEmpty else {
                throw Violation(
                    rule: 1, what: "\(device.name) merged again and has: \(difference.joined(separator: "; "))")
            }
        }
    }

    /// Rule 2: no two records share an identity, the server's included.
    private func checkIdentities() async throws {
        for device in devices {
            let snapshot = try await device.snapshot()
            for entity in domain.entities {
                guard let remote = entity.plan.remoteColumn else { continue }
                let name = entity.plan.columns[remote].name
                let identities = (snapshot.rows[entity.table] ?? [:]).values.compactMap { $0[name] }.filter {
                    !$0.isNull
                }
                guard Set(identities).count < identities.count else { continue }
                throw Violation(rule: 2, what: "\(device.name) has two \(entity.name) of one identity")
            }
        }
    }

    /// Rule 5: each change took effect once.
    private func checkEffects() throws {
        try checkCreations()
        try checkVersionsTold()
        let guarantees = Guarantees.of(scenario.server)
        if guarantees.updatesAreIdempotent { try checkKeys() }
        if guarantees.updatesAreIdempotent || scenario.isCalm { try checkValuesOnce() }
    }

    /// C4: an update of a record with a version attribute tells which version it is made for.
    private func checkVersionsTold() throws {
        guard scenario.server.isRails else { return }
        for change in server.changes where change.kind == .updated {
            guard let entity = domain.entity(at: change.path), let column = entity.plan.versionColumn,
                let key = entity.plan.columns[column].wire?.path.first, change.json[key] == nil,
                isByDevice(change.json, entity)
            else { continue }
            throw Violation(rule: 5, what: "C4: \(change) told no \(key): \(change.json.plain)")
        }
    }

    /// Whether a device has written one of the texts: others write theirs with an `s` before them.
    private func isByDevice(_ json: JSONValue, _ entity: DomainEntity) -> Bool {
        entity.fields.contains { field in
            if case .string(let text)? = json[field.key], field.kind == .text { !text.hasPrefix("s") } else { false }
        }
    }

    /// No record was made twice: what was made has a name that no other has. What the server has lost inside of others
    /// each device makes again that has changed it.
    private func checkCreations() throws {
        for entity in domain.entities {
            var names: [String: String] = [:]
            for (key, record) in server.records(of: entity) {
                guard let name = record[entity.nameField.key]?.plain,
                    !members.mayRepeat(MemberNames.Name(entity: entity.name, name: name))
                else { continue }
                // Without versions, one record can be inside of two others.
                if let other = names.updateValue(key, forKey: name), other != key {
                    throw Violation(rule: 5, what: "\(entity.name) \(name) is on the server twice: \(other) and \(key)")
                }
            }
        }
    }

    private func checkKeys() throws {
        var seen: Set<String> = []
        for change in server.changes {
            guard let key = change.idempotencyKey, !seen.insert(key).inserted else { continue }
            throw Violation(rule: 5, what: "\(change) took effect twice for one idempotency key")
        }
    }

    /// No value came back over another one that somebody had written since.
    private func checkValuesOnce() throws {
        var current: [String: JSONValue] = [:]
        var past: Set<String> = []
        /// The values that records were made with, without those that were changed since.
        var made: [String: [String: JSONValue]] = [:]
        for change in server.effects(of: server.changes) {
            guard let entity = domain.entity(at: change.path), let key = change.key else { continue }
            // A list that is replaced goes out as it is here, with what others have changed in it.
            if entity.container != nil, !scenario.server.merges(entity) { continue }
            let record = "\(change.path)/\(key)"
            // P10.4: a record that has nothing of what was sent may be someone else's with the same natural key.
            let mayBeAnother = entity.hasNaturalKey && made[record]?.isEmpty ?? false
            for field in entity.fields {
                guard let value = change.json[field.key], value != .null else { continue }
                let place = "\(record)/\(field.key)"
                if change.kind == .created {
                    made[record, default: [:]][field.key] = value
                } else if made[record]?[field.key] != value {
                    made[record]?[field.key] = nil
                }
                if current[place] == value { continue }
                current[place] = value
                let isNew = past.insert("\(place)=\(value.plain)").inserted
                guard isNew || change.kind == .created || mayBeAnother else {
                    throw Violation(rule: 5, what: "\(place) became \(value.plain) twice")
                }
            }
        }
    }

    /// Rule 8: both JSON roads give the same rows.
    private func checkRoads() async throws {
        let (bytes, typed) = (try freshStore("bytes"), try freshStore("typed"))
        defer {
            try? bytes.close()
            try? typed.close()
        }
        // The typed road has no options for what lacks keys.
        guard server.missingKeys == .keep else { return }
        for entity in domain.followed {
            try await merge(entity, into: bytes, isTyped: false)
            try await merge(entity, into: typed, isTyped: true)
        }
        let one = try await Snapshot(of: bytes, domain).asOnServer(domain)
        let difference = one.difference(from: try await Snapshot(of: typed, domain).asOnServer(domain))
        guard difference.isEmpty else {
            throw Violation(rule: 8, what: "the typed road has other rows: \(difference.joined(separator: "; "))")
        }
    }
}
