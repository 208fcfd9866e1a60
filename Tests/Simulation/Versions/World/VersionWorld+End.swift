import LockstepStore
import LockstepSync
import LockstepTesting

extension VersionWorld {
    /// Everybody gets the last version and a network without faults, and everything is sent and pulled.
    func becomeQuiet() async throws {
        while let next = nextVersion { release(next) }
        server.fix()
        for device in devices { device.network.faults = .none }
        for device in devices { await device.network.deliverLate() }
        if scenario.syncsBeforeLastVersion { try await syncAll(times: 2) }
        for device in devices where device.version < scenario.lastVersion {
            try await relaunch(device, as: scenario.lastVersion)
        }
        try await syncAll(times: 3)
        for device in devices { try await discardUnapplied(device) }
        if let violation = server.violations.first { throw VersionViolation(violation) }
        for device in devices { try device.checkStore() }
        try await checkEnd()
    }

    private func syncAll(times: Int) async throws {
        for device in devices { try await device.store.outbox.retryAll() }
        for _ in 0..<times {
            clock.advance(by: 3_600)
            for device in devices {
                try await push(device)
                try await pull(device)
            }
        }
    }

    /// A value that the server has accepted and not applied stays with its reason (P21): the link to a notebook that was
    /// deleted there, for example. The person gives it up.
    private func discardUnapplied(_ device: JournalDevice) async throws {
        let unapplied = try await device.store.outbox.pending().filter { change in
            change.parked.map { String(decoding: $0.body, as: UTF8.self).contains("did not apply it") } ?? false
        }
        guard !unapplied.isEmpty else { return }
        for change in unapplied {
            try await device.store.outbox.discard(change)
            forgetPromises(of: change.key.text)
        }
        try await device.sync.forgetValidators()
        try await pull(device)
    }

    private func checkEnd() async throws {
        for device in devices {
            let snapshot = try await device.snapshot()
            if let (place, pending) = snapshot.pending.min(by: { $0.key < $1.key }) {
                throw VersionViolation(
                    """
                    rule 4: \(device.name) has something pending in the end: \(place) \(pending.change), \
                    status \(pending.parkedStatus ?? 0)
                    """)
            }
            for collection in JournalCollection.sent {
                try compare(snapshot.records[collection] ?? [:], server.records(of: collection), collection, device)
            }
        }
        for place in made.subtracting(deleted).sorted()
        where server.records(of: place.collection)[place.key] == nil {
            throw VersionViolation("lost: \(place) was made, and nobody deleted it; the server has it not")
        }
        try checkPromises()
    }

    private func compare(
        _ own: [String: JSONValue], _ there: [String: JSONValue], _ collection: JournalCollection,
        _ device: JournalDevice
    ) throws {
        for key in Set(own.keys).union(there.keys).sorted() where own[key] != there[key] {
            throw VersionViolation(
                """
                rule 4: \(collection.rawValue)/\(key) is \(own[key].map(JournalSteps.text) ?? "not there") on \
                \(device.name)'s device, and \(there[key].map(JournalSteps.text) ?? "not there") on the server
                """)
        }
    }

    /// The last edit of each member has arrived.
    private func checkPromises() throws {
        let hasDeletedNotebooks = deleted.contains { $0.collection == .notebooks }
        for (promise, value) in promises.sorted(by: { ($0.key.place, $0.key.member) < ($1.key.place, $1.key.member) })
        where !deleted.contains(promise.place) {
            let record = server.records(of: promise.place.collection)[promise.place.key] ?? [:]
            let parts = promise.member.split(separator: "/").map(String.init)
            if parts.count == 2 {
                let isThere = JournalSteps.texts(record[parts[0]]).contains(parts[1])
                guard value != .bool(isThere) else { continue }
                throw VersionViolation("edit lost: \(promise.place) \(isThere ? "has" : "has not") \(promise.member)")
            }
            // The link ends with the notebook, which is an edit of whoever deletes it.
            if promise.member == JournalSteps.notebookKey, hasDeletedNotebooks { continue }
            let expected = JournalSteps.canonical([promise.member: value])[promise.member] ?? .null
            let found = record[promise.member] ?? .null
            guard !JournalSteps.has(found, expected), !(expected == .array([]) && found == .null) else { continue }
            throw VersionViolation(
                """
                edit lost: \(promise.place) has \(promise.member) \(JournalSteps.text(found)), and was given \
                \(JournalSteps.text(expected)) last
                """)
        }
    }
}
