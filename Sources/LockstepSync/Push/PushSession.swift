import Foundation
import GRDB
import LockstepStore
import LockstepSystem

/// One run over the outbox: sends what is pending, and records the outcome of each change.
final class PushSession: Sendable {
    let environment: SyncEnvironment
    let selection: (@Sendable (EntityPlan, RecordKey) -> Bool)?
    private var store: Store { environment.store }

    /// Read once, not for each change.
    let knownIdentity = Locked<String?>(nil)

    /// The changes that are being sent.
    let flights: PushFlights
    /// Whether the server responds, as far as is known: a change that fails nevertheless may be the reason.
    let serverResponds = Locked(true)
    /// Until when the server has asked to send nothing, if it has since the round began.
    let serverPause = Locked<Date?>(nil)
    var isPausedByServer: Bool { serverPause.withLock { $0 != nil } }

    /// Whether all of each selected record is sent.
    let isForced: Bool
    /// Whether a selected record was sent. What could not be sent of it stays in the outbox, and is not tried again.
    let hasForced = Locked(false)
    /// Marks a record to be sent although nothing of it was changed.
    private let marking: (@Sendable () async throws -> Void)?

    init(
        _ environment: SyncEnvironment, isForced: Bool = false, marking: (@Sendable () async throws -> Void)? = nil,
        selection: (@Sendable (EntityPlan, RecordKey) -> Bool)? = nil
    ) {
        self.environment = environment
        flights = PushFlights(environment.window)
        self.isForced = isForced
        self.marking = marking
        self.selection = selection
    }

    /// Marks the record again, unless it was sent: another push may have settled it since.
    func markAgain() async throws {
        if !hasForced.withLock({ $0 }) { try await marking?() }
    }

    /// The outcome of one change.
    enum Outcome: Sendable {
        /// It has taken effect, or there was nothing to do.
        case done(OutgoingChange.Kind?)
        /// Nothing is sent of it until the app decides.
        case parked(isResponse: Bool)
        case later(Date, SyncError)
        /// There was no response. Another change may get one.
        case unreachable(PushRecord, SyncError)
        /// Nothing can be sent until then.
        case paused(Date, SyncError)
    }

    /// The changes that were sent at a time, and when something can be sent again.
    struct Pass: Sendable {
        var summary: PushSummary
        /// Whether nothing can be sent until then.
        var isPaused = false
        var wait: (date: Date, error: SyncError)?

        mutating func wait(until date: Date, because error: SyncError) {
            if wait.map({ date < $0.date }) ?? true { wait = (date, error) }
        }
    }

    /// Sends what can be sent now, including changes that are made meanwhile, until nothing that can be sent is left.
    ///
    /// - Parameter summary: The changes that this push has sent before.
    func pass(after summary: PushSummary) async throws -> Pass {
        try await releaseAttachments()
        var pass = Pass(summary: summary)
        // Records that there was nothing to send of: twice in a row is no progress.
        var idle: Set<RecordID> = []
        while true {
            let pause = try await store.reading("reading the store") { try SyncPause.read($0) }
            serverResponds.withLock { $0 = pause?.isDespiteResponses ?? true }
            if let pause, pause.isServers, let end = pause.end(at: environment.clock.now, retries: environment.retries)
            {
                pass.isPaused = true
                pass.wait = (end, pause.error)
                return pass
            }
            let round = try await send(loadBatch(), pass: &pass, idle: &idle)
            if pass.isPaused { return pass }
            if !round.hasSent {
                let batch = round.batch
                if let (date, index) = batch.plan.earliestRetry, pass.wait.map({ date < $0.date }) ?? true {
                    pass.wait = (date, try await earlierFailure(of: batch.items[index]))
                }
                return pass
            }
        }
    }

    /// Sends nothing for a while, the longer the more attempts have failed in a row.
    ///
    /// - Parameters:
    ///   - records: The records that were sent without a response.
    ///   - attempts: How often attempts have failed; `nil` for once more than before.
    /// - Returns: When something can be sent again.
    func pause(_ records: [PushRecord], error: SyncError, attempts: Int? = nil) async throws -> Date {
        let earlier = try await store.reading("reading the store") { try SyncPause.read($0) }
        let attempts = attempts ?? AttemptCount.limited((earlier?.attempts ?? 0) + 1)
        let seconds = environment.retries.delaySeconds(after: attempts, random: environment.random())
        let wait = environment.wait(seconds: seconds)
        let isDespiteResponses = earlier?.isDespiteResponses ?? false
        try await pause(
            records,
            pause: SyncPause(
                wait: wait, attempts: attempts, isDespiteResponses: isDespiteResponses, isServers: false, error: error))
        return wait.end
    }

    /// Why a change waits that failed before.
    private func earlierFailure(of item: PushBatch.Item) async throws -> SyncError {
        try await store.reading("reading the outbox") { [store] database in
            let changes = try (item.changes + item.departures).compactMap {
                try PendingChange.fetch(database, id: $0, plans: store.plans)
            }
            guard let last = changes.max(by: { ($0.retryAt ?? .distantPast) < ($1.retryAt ?? .distantPast) }) else {
                return SyncError(.network, reason: "the change could not be sent", remedy: StoredError.remedy)
            }
            return try StoredFailures.error(of: last, in: database)
        }
    }

    private func loadBatch() async throws -> PushBatch {
        let batch = try await store.reading("reading the outbox") { [store, environment, selection] database in
            try PushBatch(
                database, plans: store.plans, ownership: environment.ownership, isSerial: environment.isSerial,
                selection: selection, due: environment.due)
        }
        guard !batch.obsolete.isEmpty || !batch.lost.isEmpty else { return batch }
        try await store.writeRaw("settling what cannot be sent") { [store] database, _ in
            for id in batch.lost { try Self.parkLost(id, plans: store.plans, in: database) }
            for record in batch.obsolete {
                let writer = OutboxWriter(database, plan: record.plan)
                guard let change = try writer.change(of: record.key), change.kind == .delete else { continue }
                try writer.forget(record.key, id: change.id)
            }
        }
        return batch
    }

    /// Parks a change whose record is not in the store: it cannot be sent, and nobody has discarded it.
    private static func parkLost(_ id: Int64, plans: SchemaPlan, in database: Database) throws {
        guard let change = try PendingChange.fetch(database, id: id, plans: plans),
            let plan = plans.first(where: { $0.name == change.entity })
        else { return }
        let writer = OutboxWriter(database, plan: plan)
        let row = try database.valueRows(plan.findSQL, with: change.key.values).first
        let base = try writer.base(of: change.key)
        guard PendingRecord.isLost(isDelete: change.kind == .delete, row: row, base: base) else { return }
        try writer.park(change, status: 0, body: Data("its record is not in the store".utf8))
    }

    /// Reports what is parked now.
    func noteParked() async throws {
        environment.diagnostics.noteParked(
            try await store.reading("reading the outbox") { [store] in
                try PendingChange.fetchParked($0, plans: store.plans)
            })
    }

    /// Counts what is left.
    func countPending(_ summary: inout PushSummary) async throws {
        let pending = try await store.outbox.pending()
        summary.parked = pending.filter { $0.parked != nil }
        summary.remaining = pending.count - summary.parked.count
        summary.retryAt = pending.compactMap { environment.due($0.wait) }.min()
    }
}
