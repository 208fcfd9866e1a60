import Foundation
import GRDB
import LockstepStore

extension PushDrain {
    private var store: Store { sync.store }

    func read(_ item: PushRound.Item) async throws -> PushRecord? {
        let isWhole = isForced && (selection?(item.plan, item.key) ?? false)
        return try await store.reading("reading a record to send") { [store, containment = sync.containment] database in
            let reader = PushRecordReader(
                store: store, containment: containment, database: database, isWhole: isWhole)
            return try reader.read(item)
        }
    }

    /// A text that no other store has, for idempotency keys; made once.
    func storeIdentity() async throws -> String {
        if let known = knownIdentity.withLock({ $0 }) { return known }
        let identity = try await readOrMakeIdentity()
        knownIdentity.withLock { $0 = identity }
        return identity
    }

    private func readOrMakeIdentity() async throws -> String {
        if let known = try await store.reading("reading the store", Self.readIdentity) { return known }
        return try await store.writeRaw("naming the store") { database, _ in
            if let known = try Self.readIdentity(database) { return known }
            let made = UUID().uuidString.lowercased()
            try database.execute(
                sql: "INSERT INTO lockstep_metadata (key, value) VALUES ('store_identity', ?)", arguments: [made])
            return made
        }
    }

    @Sendable private static func readIdentity(_ database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM lockstep_metadata WHERE key = 'store_identity'")
    }

    // MARK: Before it is sent

    /// Keeps what is needed to send a creation again as it was (Rules.md, P10).
    func noteAttempt(_ record: PushRecord, _ idempotencyKey: String) async throws {
        guard record.kind == .create, !record.isRepeated else { return }
        try await store.writeRaw("noting what is sent") { database, _ in
            for settled in record.settled where settled.change.kind == .create {
                guard let row = settled.snapshot.row else { continue }
                try OutboxWriter(database, settled.plan).markSent(
                    settled.change, idempotencyKey: idempotencyKey, body: record.body, row: row)
            }
        }
    }

    // MARK: What the server has taken

    /// Writes down that the server has taken a change, and merges what it answered, in one transaction.
    ///
    /// - Returns: Whether it could be: a creation without an identity is parked.
    func confirm(
        _ record: PushRecord, _ body: Data?, _ version: String?, _ identity: RemoteIdentity?
    ) async throws -> Bool {
        let answer = Answer(body, record.plan, identity)
        if record.kind == .create, let problem = answer.problem(for: record) {
            try await park(record, 0, Data(problem.utf8))
            return false
        }
        let settle: @Sendable (Database, RawChanges) throws -> Void = { [plans = store.plans] database, changes in
            try Confirmation(database: database, changes: changes, plans: plans).write(record, answer)
        }
        let keepVersion: @Sendable (Database) throws -> Void = { database in
            let isGone = record.kind == .delete
            if version != nil || isGone {
                try RecordVersions.keep(isGone ? nil : version, of: record.key, in: record.plan, database)
            }
            try SyncPause.clear(database)
        }
        guard record.kind != .delete, let json = answer.json else {
            try await store.writeRaw("confirming a change", isQuiet: true) { database, changes in
                try settle(database, changes)
                try keepVersion(database)
            }
            return true
        }
        var options = MergeOptions(missingKeys: sync.remote.traits.missingKeys)
        options.before = settle
        options.after = { database, _ in try keepVersion(database) }
        options.listsIdentities = false
        try await store.mergeAny(json, into: record.plan, options)
        return true
    }

    /// Nothing has to be sent: what was changed was changed back.
    func settle(_ record: PushRecord) async throws {
        try await store.writeRaw("settling a change", isQuiet: true) { [plans = store.plans] database, changes in
            try Confirmation(database: database, changes: changes, plans: plans).write(
                record, Answer(nil, record.plan, nil))
        }
    }

    // MARK: What the server has instead

    /// Merges the server's record, by the conflict policy; what is still changed then is sent to that version.
    func take(_ current: Data?, _ version: String?, of record: PushRecord) async throws -> Outcome? {
        if let current, !current.isEmpty, Answer(current, record.plan, nil).json != nil {
            try await mergeCurrent(current, version, of: record)
            return nil
        }
        if current != nil || record.identity == nil {
            try await takeDeletion(record)
            return nil
        }
        // The server did not say what it has.
        guard let identity = record.identity else { return nil }
        return try await asking(record) {
            _ = try await refresh(record, identity)
            return nil
        }
    }

    func mergeCurrent(_ body: Data, _ version: String?, of record: PushRecord) async throws {
        let answer = Answer(body, record.plan, record.identity)
        guard let json = answer.json else { return }
        var options = MergeOptions(missingKeys: sync.remote.traits.missingKeys)
        options.listsIdentities = false
        options.before = { database, _ in
            for settled in record.settled { try OutboxWriter(database, settled.plan).forgetSent(settled.change) }
        }
        options.after = { database, _ in try RecordVersions.keep(version, of: record.key, in: record.plan, database) }
        try await store.mergeAny(json, into: record.plan, options)
    }

    /// The server has the record no longer (Rules.md, C3).
    func takeDeletion(_ record: PushRecord) async throws {
        guard let identity = record.identity else { return }
        try await store.deleteAny([identity], of: record.plan)
        try await store.writeRaw("forgetting a version") { database, _ in
            try RecordVersions.keep(nil, of: record.key, in: record.plan, database)
        }
    }

    // MARK: What the server has not taken

    func park(_ record: PushRecord, _ status: Int, _ body: Data) async throws {
        try await store.writeRaw("parking a change") { database, _ in
            for settled in record.settled {
                let kept = body.prefix(Self.parkedBodyLimit)
                let reason = status == 0 ? String(decoding: kept, as: UTF8.self) : "the server answered \(status)"
                try OutboxWriter(database, settled.plan).park(
                    settled.change, status: status, body: Data(kept), error: reason)
            }
            try SyncPause.clear(database)
        }
    }

    /// Puts changes aside that no request can be made of; the others go on.
    func park(_ item: PushRound.Item, _ reason: String) async throws {
        try await store.writeRaw("parking a change") { [plans = store.plans] database, _ in
            for id in item.changes {
                for change in try PendingChange.fetch(database, plans, where: "id = ?", [id.databaseValue]) {
                    guard let plan = plans.first(where: { $0.name == change.entity }) else { continue }
                    try OutboxWriter(database, plan).park(change, status: 0, body: Data(reason.utf8), error: reason)
                }
            }
        }
    }

    /// So much of a refusal's body is kept, in bytes: enough for what a server says of its reasons.
    private static let parkedBodyLimit = 64 * 1024

    func delay(_ record: PushRecord, _ seconds: TimeInterval, _ error: SyncError) async throws -> Outcome {
        let date = sync.clock.now.addingTimeInterval(seconds)
        try await store.writeRaw("delaying a change") { database, _ in
            for settled in record.settled {
                try OutboxWriter(database, settled.plan).fail(settled.change, error: error.reason, retryAt: date)
            }
        }
        return .later(date, error)
    }

    func pause(
        _ record: PushRecord, _ seconds: TimeInterval, _ error: SyncError, isServers: Bool, attempts: Int = 1
    ) async throws -> Outcome {
        let date = sync.clock.now.addingTimeInterval(seconds)
        try await store.writeRaw("delaying what is pending") { database, _ in
            // The pause is of all: the change itself may go as soon as that is over.
            for settled in record.settled {
                try OutboxWriter(database, settled.plan).fail(settled.change, error: error.reason, retryAt: nil)
            }
            try SyncPause(until: date, attempts: attempts, isServers: isServers, error: error).write(database)
        }
        return .paused(date, error)
    }
}

extension Store {
    /// Merges a record into an entity that is known by its description only.
    func mergeAny(_ json: Data, into plan: EntityPlan, _ options: MergeOptions) async throws {
        guard let type = model(named: plan.name) else { return }
        try await mergeOne(json, type, options)
    }

    /// Deletes what the server has no longer, of an entity that is known by its description only.
    func deleteAny(_ identities: [RemoteIdentity], of plan: EntityPlan) async throws {
        guard let type = model(named: plan.name) else { return }
        try await deleteOne(identities, type)
    }

    private func deleteOne<Object: Model>(_ identities: [RemoteIdentity], _ type: Object.Type) async throws {
        try await applyServerDeletes(of: type, identities: identities)
    }

    private func mergeOne<Object: Model>(_ json: Data, _ type: Object.Type, _ options: MergeOptions) async throws {
        try await merge(json, into: type, options: options)
    }
}
