import Foundation
import GRDB
import LockstepStore
import LockstepSystem

extension PushSession {
    private var store: Store { environment.store }

    func read(_ item: PushBatch.Item) async throws -> PushRecord? {
        let isWhole = isWhole(item)
        return try await store.reading("reading a record to send") { database in
            try self.reader(isWhole, in: database).read(item)
        }
    }

    /// A record that was read to be sent; an error if no JSON can be made of it, or not yet.
    typealias Claim = Result<PushRecord?, any Error>

    /// Reads records as ``readToSend(_:hasAsked:current:)`` does, in one transaction.
    ///
    /// - Returns: `nil` for one that was edited since it was found out what it depends on.
    func claim(_ items: [PushBatch.Item]) async throws -> [Claim?] {
        let isWhole = items.map(isWhole)
        let identity = try await storeIdentity()
        return try await store.writeRaw("reading records to send", suppressesOutbox: true) { database, changes in
            try zip(items, isWhole).map { item, isWhole in
                if try item.isOutdated(database) { return nil }
                do {
                    let reader = self.reader(isWhole, in: database)
                    let record = try reader.read(item)
                    return .success(
                        try self.noting(
                            record, identity: identity, hasAsked: false, current: nil, in: database, changes: changes))
                } catch let error where error is EncodingError || error is UnknownSpelling { return .failure(error) }
            }
        }
    }

    /// Reads a record, and notes what is sent of it in the same transaction if nothing has to be done before.
    ///
    /// - Parameters:
    ///   - hasAsked: Whether the server was asked for what has to be known.
    ///   - current: The server's record, if it was requested for members that the schema does not know.
    func readToSend(_ item: PushBatch.Item, hasAsked: Bool, current: JSONValue?) async throws -> PushRecord? {
        let isWhole = isWhole(item)
        let identity = try await storeIdentity()
        return try await store.writeRaw("reading a record to send", suppressesOutbox: true) { database, changes in
            let record = try self.reader(isWhole, in: database).read(item)?.keepingUnknown(of: current)
            return try self.noting(
                record, identity: identity, hasAsked: hasAsked, current: current, in: database, changes: changes)
        }
    }

    private func noting(
        _ record: PushRecord?, identity: String, hasAsked: Bool, current: JSONValue?, in database: Database,
        changes: RawChanges
    ) throws -> PushRecord? {
        guard var record else { return nil }
        let isKnown = (hasAsked || !mustAsk(of: record)) && (current != nil || !record.replacesUnknown)
        let isSent = record.reasonNotToSend == nil && record.unsentReason == nil && !record.isEmpty
        let isReady = isSent && record.lost.isEmpty && isKnown
        guard isReady, !mayUpload(for: record) else { return record }
        let key = record.idempotencyKey(of: identity)
        try note(record, idempotencyKey: key, in: database, changes: changes)
        record.notedKey = key
        return record
    }

    private func isWhole(_ item: PushBatch.Item) -> Bool {
        isForced && !hasForced.withLock { $0 } && (selection?(item.plan, item.key) ?? false)
    }

    private func reader(_ isWhole: Bool, in database: Database) -> PushRecordReader {
        PushRecordReader(
            store: store, ownership: environment.ownership, database: database, isWhole: isWhole,
            nestedDeletion: environment.remote.traits.nestedDeletion, sendsUnset: environment.remote.traits.sendsUnset)
    }

    /// A text that is unique to this store, for idempotency keys; created once.
    func storeIdentity() async throws -> String {
        if let known = knownIdentity.withLock({ $0 }) { return known }
        let identity = try await readOrMakeIdentity()
        knownIdentity.withLock { $0 = identity }
        return identity
    }

    private func readOrMakeIdentity() async throws -> String {
        if let known = try await store.reading("reading the store", body: Self.readIdentity) { return known }
        return try await store.writeRaw("naming the store") { database, _ in
            if let known = try Self.readIdentity(database) { return known }
            let made = UUID().uuidString.lowercased()
            try MetadataTable.set(SyncMetadata.storeIdentity, to: made, in: database)
            return made
        }
    }

    @Sendable private static func readIdentity(_ database: Database) throws -> String? {
        try MetadataTable.value(SyncMetadata.storeIdentity, in: database)
    }

    // MARK: Before it is sent

    /// Keeps what is needed to send a creation again unchanged (Rules.md, P10), and what the server may have of a
    /// change until its response arrives (P4).
    func noteAttempt(_ record: PushRecord, idempotencyKey: String) async throws {
        try await store.writeRaw("noting what is sent", suppressesOutbox: true) { database, changes in
            try self.note(record, idempotencyKey: idempotencyKey, in: database, changes: changes)
        }
    }

    private func note(_ record: PushRecord, idempotencyKey: String, in database: Database, changes: RawChanges) throws {
        guard !record.isRepeated else { return }
        for settled in record.settled {
            let writer = OutboxWriter(database, plan: settled.plan)
            guard settled.change.kind == .create else {
                try writer.noteSending(settled.snapshot)
                continue
            }
            guard let row = settled.snapshot.row else { continue }
            try writer.markSent(
                settled.change, idempotencyKey: idempotencyKey, body: record.kind == .create ? record.body : nil,
                row: row)
        }
        // They leave this record: their values are not sent, and they are in no other record by that.
        for settled in record.departures + record.released {
            try OutboxWriter(database, plan: settled.plan).set(.deletion, of: settled.change)
        }
        // A record that was changed locally and is created again on the server gets another identity. One that was not
        // changed follows the server.
        let changed = Set(record.settled.map(\.recordID))
        for member in record.newMembers where changed.contains(member.recordID) {
            guard let remote = member.plan.remoteColumn, let former = member.row[remote], !former.isNull else {
                continue
            }
            try changes.note(.update, in: member.plan.table, database: database)
            try database.change(member.plan.updateSQL([remote]), with: [.null] + member.key.values)
        }
        try SentMembers(database: database, plans: store.plans).note(record.newMembers, in: record.recordID)
    }

    // MARK: What the server has taken

    /// Records that the server has taken a change, and merges the response, in one transaction.
    ///
    /// - Returns: Whether that was possible, and something was applied. Otherwise it is parked: a creation without an
    ///   identity, one that collides with what a pull has brought, an update that has changed nothing.
    func confirm(_ record: PushRecord, body: Data?, version: String?, identity: RemoteIdentity?) async throws -> Bool {
        let response = ResponseRecord(body, plan: record.plan, known: identity)
        if record.kind == .create, let problem = response.problem(for: record) {
            try await park(record, status: 0, body: Data(problem.utf8), isAccepted: true)
            return false
        }
        let unapplied = record.unapplied(in: response)
        do {
            try await flights.settle(
                PushSettlement(record: record, response: response, version: version, unapplied: unapplied))
            return !record.isUnapplied(unapplied)
        } catch let error as DuplicateCollision {
            try await park(record, status: 0, body: Data(error.reason.utf8), isAccepted: true)
            return false
        }
    }

    /// Whether nothing of a record is sent until the app decides.
    func isParked(_ record: PushRecord) async throws -> Bool {
        try await store.reading("reading the outbox") { database in
            try record.settled.allSatisfy { settled in
                guard let now = try settled.change.current(database, of: settled.plan) else { return true }
                return now.parked != nil
            }
        }
    }

    /// Nothing has to be sent: the change was undone.
    func settle(_ record: PushRecord) async throws {
        try await store.writeRaw("settling a change", suppressesOutbox: true) {
            [plans = store.plans] database, changes in
            try Confirmation(database: database, changes: changes, plans: plans).write(
                record, response: ResponseRecord(nil, plan: record.plan, known: nil), unapplied: [])
        }
    }

    /// Creates records again that the server has lost with their owners.
    func release(_ records: [PushRecord.Settled]) async throws {
        try await store.writeRaw("creating records again", suppressesOutbox: true) {
            [plans = store.plans] database, changes in
            let confirmation = Confirmation(database: database, changes: changes, plans: plans)
            for record in records { try confirmation.release(record) }
        }
    }

    // MARK: What the server has instead

    /// Merges the server's record by the conflict policy; remaining changes are sent against that version.
    ///
    /// The response can be that to a second copy of the request, and the record then has what the first one has
    /// brought: embedded records that were sent without identities are looked for in it before they count as not sent.
    func take(_ current: Data?, version: String?, of record: PushRecord) async throws {
        let content = ResponseRecord(current, plan: record.plan, known: nil)
        if content.json != nil {
            try await mergeCurrent(content, version: version, of: record, isRejection: true)
        } else {
            // The response does not contain the server's record.
            try await refresh(record, isRejection: true)
        }
        if record.kind == .create || !record.newMembers.isEmpty { try await noteMembers(of: record) }
    }

    /// - Parameter isRejection: Whether the server has the record instead of the change.
    func mergeCurrent(
        _ response: ResponseRecord, version: String?, of record: PushRecord, isRejection: Bool
    ) async throws {
        guard let json = response.json else { return }
        var options = environment.options()
        options.listsIdentities = false
        options.participants = [
            RefusalParticipant(
                record: record, response: response, version: version, feedAt: environment.feedNow)
        ]
        options.isRejection = isRejection && record.namesVersion
        options.findsWholeLists = isRejection
        try await environment.mergeAny(json, into: record.plan, options: options)
    }

    /// A creation has not taken effect: it counts as never sent.
    func requeue(_ record: PushRecord) async throws {
        try await store.writeRaw("taking back a creation") { [plans = store.plans] database, _ in
            try Self.forgetMembers(of: record, in: database, plans: plans)
            try record.requeue(database)
        }
    }

    /// The same, if the creation was sent.
    func requeueSent(_ record: PushRecord) async throws {
        try await store.writeRaw("taking back a creation") { [plans = store.plans] database, _ in
            let change = try OutboxWriter(database, plan: record.plan).change(of: record.key)
            guard change?.idempotencyKey != nil else { return }
            try Self.forgetMembers(of: record, in: database, plans: plans)
            try record.requeue(database)
        }
    }

    /// The server no longer has the record (Rules.md, C3).
    ///
    /// - Parameter isCertain: Whether the response says so, or only lacks the record (M7).
    /// - Returns: Whether that is believed.
    @discardableResult
    func takeDeletion(_ record: PushRecord, isCertain: Bool = true) async throws -> Bool {
        guard let identity = record.identity else { return true }
        var options = environment.options()
        options.absentAt = isCertain ? nil : environment.clock.now
        if try await store.deleteAny(identity, of: record.plan, options: options)?.keepsAbsentRecord == true {
            return false
        }
        try await store.writeRaw("forgetting a version") { database, _ in
            // If it was edited, it is created again: what the feed has said is about the deleted one.
            try VersionTable.keep(nil, of: record.key, in: record.plan, database: database)
            try ScopeTable.forget(record.key, in: record.plan, database: database)
            try SyncPause.endUnreachable(database)
        }
        return true
    }

    // MARK: What the server has not taken

    /// The server has rejected a request, and does not have what was new in it.
    private static func forgetMembers(of record: PushRecord, in database: Database, plans: SchemaPlan) throws {
        guard record.kind == .create || !record.newMembers.isEmpty else { return }
        try SentMembers(database: database, plans: plans).didReject(record.recordID)
    }

    /// - Parameters:
    ///   - reason: Why; `nil` for what the response says.
    ///   - isAccepted: Whether it is a creation that the server has accepted (Rules.md, P10).
    func park(
        _ record: PushRecord, status: Int, body: Data, because reason: String? = nil, isAccepted: Bool = false
    ) async throws {
        let body = Redaction.body(body.prefix(Self.parkedBodyLimit))
        let reason = reason ?? self.reason(of: record, status: status, body: body)
        try await store.writeRaw("parking a change") { [plans = store.plans, isPausedByServer] database, _ in
            if !isAccepted { try Self.forgetMembers(of: record, in: database, plans: plans) }
            for settled in record.concerned {
                try OutboxWriter(database, plan: settled.plan).park(
                    settled.change, status: status, body: body, error: reason,
                    isAccepted: isAccepted && settled.change.kind == .create)
            }
            try OutboxWriter(database, plan: record.plan).parkOwner(
                record.key, of: record.concernedKeys, status: status, body: body, reason: reason)
            if status != 0, !isPausedByServer { try SyncPause.clear(database) }
        }
    }

    /// Why a change is parked, as readable text: what the server says, if that can be read.
    private func reason(of record: PushRecord, status: Int, body: Data) -> String {
        if status == 0 { return String(decoding: body, as: UTF8.self) }
        let problem = environment.remote.problem(in: body, status: status, of: RemoteEntity(record.plan))
        let text = problem.map { ": \($0.naming(record.plan))" } ?? ""
        // RFC 6585, 3.
        let isUnconditional = status == 428 && !environment.remote.traits.hasVersions && record.kind != .create
        let hint = isUnconditional ? "; it requires the version of the record: set the remote's `usesVersions`" : ""
        return "the server responded with \(status)\(text.prefix(Self.reasonLimit))\(hint)"
    }

    /// The maximum length of what a server says in the reason of a parked change. The rest is in the body.
    private static let reasonLimit = 1_000

    /// Parks changes that the schema does not let be sent (Rules.md, V8).
    func hold(_ record: PushRecord, because reason: String) async throws {
        try await store.writeRaw("parking a change") { database, _ in
            for settled in record.concerned {
                try OutboxWriter(database, plan: settled.plan).hold(settled.change, because: reason)
            }
            try OutboxWriter(database, plan: record.plan).parkOwner(
                record.key, of: record.concernedKeys, reason: reason)
        }
    }

    /// Parks changes that no request can be made of; the others are sent.
    func park(_ item: PushBatch.Item, reason: String) async throws {
        try await store.writeRaw("parking a change") { [plans = store.plans] database, _ in
            var parked: [(plan: EntityPlan, key: RecordKey)] = []
            for id in item.changes + item.departures {
                guard let change = try PendingChange.fetch(database, id: id, plans: plans),
                    let plan = plans.first(where: { $0.name == change.entity })
                else { continue }
                try OutboxWriter(database, plan: plan).park(change, status: 0, body: Data(reason.utf8), error: reason)
                parked.append((plan, change.key))
            }
            try OutboxWriter(database, plan: item.plan).parkOwner(item.key, of: parked, reason: reason)
        }
    }

    /// The maximum size of a rejection's body that is kept, in bytes: enough for a server's reasons.
    private static let parkedBodyLimit = 64 * 1024

    /// A change is retried later; the others are sent meanwhile.
    ///
    /// - Returns: The time of the next attempt.
    func delay(_ record: PushRecord, seconds: TimeInterval, error: SyncError) async throws -> Date {
        let wait = environment.wait(seconds: seconds)
        try await store.writeRaw("delaying a change") { database, _ in
            let waiting = try Self.fail(record, error: error, wait: wait, in: database)
            try StoredFailures.keep(error, of: waiting, in: database)
            if error.isFromServer { try SyncPause.endUnreachable(database) }
        }
        environment.diagnostics.send(
            .retry(entity: record.plan.name, record: record.identity?.text, at: wait.end, because: error))
        return wait.end
    }

    /// - Returns: The changes that wait.
    private static func fail(
        _ record: PushRecord, error: SyncError, wait: StoredWait?, in database: Database
    ) throws -> [Int64] {
        var waiting = record.concerned.map { ($0.plan, $0.change) }
        let writer = OutboxWriter(database, plan: record.plan)
        if let owner = try writer.markOwner(record.key, of: record.concernedKeys) {
            waiting.append((record.plan, owner))
        }
        for (plan, change) in waiting {
            try OutboxWriter(database, plan: plan).fail(change, error: error.reason, wait: wait)
        }
        return waiting.map(\.1.id)
    }

    /// Nothing is sent until the pause is over.
    func pause(_ records: [PushRecord], pause: SyncPause) async throws {
        try await store.writeRaw("delaying what is pending") { database, _ in
            // The pause applies to all changes: the changes themselves may be sent as soon as it is over.
            for record in records { _ = try Self.fail(record, error: pause.error, wait: nil, in: database) }
            try pause.write(database)
        }
        environment.diagnostics.send(.retry(entity: nil, record: nil, at: pause.wait.end, because: pause.error))
    }
}
