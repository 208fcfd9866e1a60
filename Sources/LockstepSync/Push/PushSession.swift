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
        /// There was no response. Another change may get one.
        case unreachable(PushRecord, SyncError)
        /// Nothing can be sent until then.
        case paused(Date, SyncError)
    }

    /// What was sent at a time, and when something can be sent again.
    struct Pass {
        var summary: PushSummary
        var hasSent = false
        /// Whether nothing can be sent until then.
        var isPaused = false
        var wait: (date: Date, error: SyncError)?

        mutating func wait(until date: Date, because error: SyncError) {
            if wait.map({ date < $0.date }) ?? true { wait = (date, error) }
        }
    }

    /// Sends what can be sent now, including changes that are made meanwhile, until nothing that can be sent is left.
    ///
    /// - Parameter summary: What this push has sent before.
    func pass(after summary: PushSummary) async throws -> Pass {
        try await releaseAttachments()
        var pass = Pass(summary: summary)
        // Records that there was nothing to send of: twice in a row is no progress.
        var idle: Set<RecordPlace> = []
        while true {
            if let pause = try await store.reading("reading the store", { try SyncPause.read($0) }),
                pause.until > environment.clock.now, pause.isServers
            {
                pass.isPaused = true
                pass.wait = (pause.until, pause.error)
                return pass
            }
            var batch = try await loadBatch()
            let hasSent = try await send(&batch, &pass, &idle)
            pass.hasSent = pass.hasSent || hasSent
            if pass.isPaused { return pass }
            if !hasSent {
                if let (date, index) = batch.plan.earliestRetry, pass.wait.map({ date < $0.date }) ?? true {
                    pass.wait = (date, try await earlierFailure(of: batch.items[index]))
                }
                return pass
            }
        }
    }

    /// Sends what can be sent of a batch.
    ///
    /// If there is no response to a change that has failed before, it may be the reason: the server does not respond to
    /// this request. So the others are not held back until one of them gets no response either.
    ///
    /// - Returns: Whether anything was sent.
    private func send(
        _ batch: inout PushBatch, _ pass: inout Pass, _ idle: inout Set<RecordPlace>
    ) async throws -> Bool {
        var hasSent = false
        var done = 0
        var hasAnswer = false
        var unanswered: (index: Int, record: PushRecord, error: SyncError)?
        while let index = batch.next(at: environment.clock.now) {
            try Task.checkCancellation()
            environment.board.show(.pushing(done: done, total: batch.items.count))
            switch try await send(batch.items[index]) {
            case .done(let kind):
                batch.finish(index)
                let record = RecordPlace(batch.items[index].plan, batch.items[index].key)
                if let kind {
                    pass.summary.count(kind)
                    idle.remove(record)
                    hasSent = true
                } else if idle.insert(record).inserted {
                    hasSent = true
                }
                hasAnswer = hasAnswer || kind != nil
            case .parked: batch.hold(index)
            case .later(let date, let error):
                batch.delay(index, until: date)
                pass.wait(until: date, because: error)
                hasAnswer = hasAnswer || error.isFromServer
            case .unreachable(let record, let error):
                guard record.attempts >= Self.suspiciousAttempts, unanswered == nil else {
                    try await pause([unanswered?.record, record].compactMap(\.self), error, &pass)
                    return hasSent
                }
                unanswered = (index, record, error)
                batch.delay(index, until: .distantFuture)
            case .paused(let date, let error):
                pass.isPaused = true
                pass.wait = (date, error)
                hasAnswer = true
            }
            if let last = unanswered, hasAnswer {
                // The server responds to others.
                let attempts = last.record.attempts + 1
                let seconds = environment.retries.delaySeconds(after: attempts, random: environment.random())
                let date = try await delay(last.record, seconds, last.error)
                batch.delay(last.index, until: date)
                if !pass.isPaused { pass.wait(until: date, because: last.error) }
                unanswered = nil
            }
            if pass.isPaused { return hasSent }
            done += 1
        }
        if let last = unanswered { try await pause([last.record], last.error, &pass) }
        return hasSent
    }

    /// The server does not respond: nothing is sent for a while.
    private func pause(_ records: [PushRecord], _ error: SyncError, _ pass: inout Pass) async throws {
        let earlier = try await store.reading("reading the store") { try SyncPause.read($0) }
        let attempts = (earlier?.attempts ?? 0) + 1
        let seconds = environment.retries.delaySeconds(after: attempts, random: environment.random())
        let date = environment.clock.now.addingTimeInterval(seconds)
        let isDespiteAnswers = earlier?.isDespiteAnswers ?? false
        try await pause(
            records,
            SyncPause(
                until: date, attempts: attempts, isDespiteAnswers: isDespiteAnswers, isServers: false, error: error))
        pass.isPaused = true
        pass.wait = (date, error)
    }

    /// How often a change has failed when the lack of a response may be due to the change itself.
    private static let suspiciousAttempts = 3

    /// Why a change waits that failed before.
    private func earlierFailure(of item: PushBatch.Item) async throws -> SyncError {
        try await store.reading("reading the outbox") { [store] database in
            let changes = try (item.changes + item.departures).compactMap {
                try PendingChange.fetch(database, id: $0, store.plans)
            }
            guard let last = changes.max(by: { ($0.retryAt ?? .distantPast) < ($1.retryAt ?? .distantPast) }) else {
                return SyncError(.network, reason: "the change could not be sent", remedy: StoredError.remedy)
            }
            return try StoredFailures.error(of: last, database)
        }
    }

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

    /// Counts what is left.
    func countPending(_ summary: inout PushSummary) async throws {
        let pending = try await store.outbox.pending()
        summary.parked = pending.filter { $0.parked != nil }
        summary.remaining = pending.count - summary.parked.count
        summary.retryAt = pending.compactMap(\.retryAt).min()
    }
}
