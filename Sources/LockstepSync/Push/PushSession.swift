import Foundation
import GRDB
import LockstepStore
import LockstepSystem

/// One run over the outbox: sends what is pending, change by change, and records the outcome of each.
final class PushSession: Sendable {
    let environment: SyncEnvironment
    let selection: (@Sendable (EntityPlan, RecordKey) -> Bool)?
    private var store: Store { environment.store }

    /// Read once, not for each change.
    let knownIdentity = Locked<String?>(nil)

    /// Whether all of each selected record is sent.
    let isForced: Bool
    /// Whether that was done. What could not be sent stays in the outbox, and is not tried again.
    let hasForced = Locked(false)

    init(
        _ environment: SyncEnvironment, isForced: Bool = false,
        selection: (@Sendable (EntityPlan, RecordKey) -> Bool)? = nil
    ) {
        self.environment = environment
        self.isForced = isForced
        self.selection = selection
    }

    /// The outcome of one change.
    enum Outcome {
        /// It has taken effect, or there was nothing to do.
        case done(OutgoingChange.Kind?)
        case parked
        case later(Date, SyncError)
        /// Nothing can be sent until then.
        case paused(Date, SyncError)
    }

    /// Sends until nothing that can be sent is left.
    ///
    /// - Parameter attempts: How often to wait and retry; 0 to return without waiting.
    func run(attempts: Int) async throws -> PushSummary {
        var summary = PushSummary()
        var waits = 0
        try await releaseAttachments()
        while true {
            let pass = try await drainOnce(&summary)
            summary.nextAttempt = pass.wait?.date
            summary.nextProblem = pass.wait?.error
            guard let (date, error) = pass.wait else { break }
            if pass.hasSent { waits = 0 }
            waits += 1
            guard waits < attempts else {
                if pass.isPaused && attempts > 0 { throw error }
                break
            }
            environment.board.show(.waiting(until: date, because: error))
            try await environment.clock.sleep(until: date)
        }
        try await countPending(&summary)
        return summary
    }

    private struct Pass {
        var hasSent = false
        var isPaused = false
        var wait: (date: Date, error: SyncError)?
    }

    /// Sends what can be sent now, including changes that are made meanwhile.
    private func drainOnce(_ summary: inout PushSummary) async throws -> Pass {
        var pass = Pass()
        // Records that there was nothing to send of: twice in a row is no progress.
        var idle: Set<RecordPlace> = []
        while true {
            let now = environment.clock.now
            if let pause = try await store.reading("reading the store", { try SyncPause.read($0) }), pause.until > now,
                pause.isServers
            {
                pass.isPaused = true
                pass.wait = (pause.until, pause.error)
                return pass
            }
            var batch = try await loadBatch()
            var hasSent = false
            var done = 0
            while let index = batch.next(at: environment.clock.now) {
                try Task.checkCancellation()
                environment.board.show(.pushing(done: done, total: batch.items.count))
                switch try await send(batch.items[index]) {
                case .done(let kind):
                    batch.finish(index)
                    let record = RecordPlace(batch.items[index].plan, batch.items[index].key)
                    if let kind {
                        summary.count(kind)
                        idle.remove(record)
                        hasSent = true
                    } else if idle.insert(record).inserted {
                        hasSent = true
                    }
                case .parked: batch.hold(index)
                case .later(let date, let error):
                    batch.delay(index, until: date)
                    if pass.wait.map({ date < $0.date }) ?? true { pass.wait = (date, error) }
                case .paused(let date, let error):
                    pass.isPaused = true
                    pass.wait = (date, error)
                    pass.hasSent = pass.hasSent || hasSent
                    return pass
                }
                done += 1
            }
            pass.hasSent = pass.hasSent || hasSent
            if !hasSent {
                if let date = batch.plan.earliestRetry, pass.wait.map({ date < $0.date }) ?? true {
                    pass.wait = (date, pass.wait?.error ?? Self.earlierFailure)
                }
                return pass
            }
        }
    }

    private static let earlierFailure = SyncError(
        .unavailable(status: 503), reason: "changes wait to be retried",
        remedy: "They are sent automatically; `store.outbox.pending()` says why they failed.")

    private func loadBatch() async throws -> PushBatch {
        let batch = try await store.reading("reading the outbox") { [store, environment, selection] database in
            try PushBatch(database, store.plans, environment.ownership, selection: selection)
        }
        guard !batch.obsolete.isEmpty else { return batch }
        try await store.writeRaw("forgetting deletes") { database, _ in
            for record in batch.obsolete {
                let writer = OutboxWriter(database, record.plan)
                guard let change = try writer.change(of: record.key), change.kind == .delete else { continue }
                try writer.forget(record.key, id: change.id)
            }
        }
        return batch
    }

    private func countPending(_ summary: inout PushSummary) async throws {
        let pending = try await store.outbox.pending()
        summary.parked = pending.filter { $0.parked != nil }
        summary.remaining = pending.count - summary.parked.count
        summary.retryAt = pending.compactMap(\.retryAt).min()
    }
}
