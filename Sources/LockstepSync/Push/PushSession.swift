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
    /// Whether a selected record was sent. What could not be sent of it stays in the outbox, and is not tried again.
    let hasForced = Locked(false)
    /// Marks a record to be sent although nothing of it was changed.
    private let marking: (@Sendable () async throws -> Void)?

    init(
        _ environment: SyncEnvironment, isForced: Bool = false, marking: (@Sendable () async throws -> Void)? = nil,
        selection: (@Sendable (EntityPlan, RecordKey) -> Bool)? = nil
    ) {
        self.environment = environment
        self.isForced = isForced
        self.marking = marking
        self.selection = selection
    }

    /// Marks the record again, unless it was sent: another push may have settled it since.
    func markAgain() async throws {
        if !hasForced.withLock({ $0 }) { try await marking?() }
    }

    /// The outcome of one change.
    enum Outcome {
        /// It has taken effect, or there was nothing to do.
        case done(OutgoingChange.Kind?)
        /// Nothing is sent of it until the app decides.
        case parked(isAnswer: Bool)
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
    /// this request. So the others are not held back until one of them gets no response either, and not at all if the
    /// server has responded to other requests.
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
            case .parked(let isAnswer):
                batch.hold(index)
                hasAnswer = hasAnswer || isAnswer
            case .later(let date, let error):
                batch.delay(index, until: date)
                pass.wait(until: date, because: error)
                hasAnswer = hasAnswer || error.isFromServer
            case .unreachable(let record, let error):
                if record.isSuspicious, unanswered == nil {
                    unanswered = (index, record, error)
                    batch.delay(index, until: .distantFuture)
                    break
                }
                let records = [unanswered?.record, record].compactMap(\.self)
                if records.allSatisfy(\.isSuspicious), try await isDespiteAnswers() {
                    // Each waits for itself. The others wait a little: the server may not respond to them either.
                    for record in records { _ = try await delayUnanswered(record, error) }
                    try await pause([], error, attempts: 1, &pass)
                } else {
                    try await pause(records, error, &pass)
                }
                return hasSent
            case .paused(let date, let error):
                pass.isPaused = true
                pass.wait = (date, error)
                hasAnswer = true
            }
            if let last = unanswered, hasAnswer {
                // The server responds to others.
                let date = try await delayUnanswered(last.record, last.error)
                batch.delay(last.index, until: date)
                if !pass.isPaused { pass.wait(until: date, because: last.error) }
                unanswered = nil
            }
            if pass.isPaused { return hasSent }
            done += 1
        }
        guard let last = unanswered else { return hasSent }
        if try await isDespiteAnswers() {
            let date = try await delayUnanswered(last.record, last.error)
            batch.delay(last.index, until: date)
            pass.wait(until: date, because: last.error)
        } else {
            try await pause([last.record], last.error, &pass)
        }
        return hasSent
    }

    /// Whether the server has responded to another request before the last attempt.
    private func isDespiteAnswers() async throws -> Bool {
        try await store.reading("reading the store") { try SyncPause.read($0)?.isDespiteAnswers ?? false }
    }

    /// A change that had no response waits alone.
    private func delayUnanswered(_ record: PushRecord, _ error: SyncError) async throws -> Date {
        let seconds = environment.retries.delaySeconds(after: record.attempts + 1, random: environment.random())
        return try await delay(record, seconds, error)
    }

    /// The server does not respond: nothing is sent for a while.
    private func pause(
        _ records: [PushRecord], _ error: SyncError, attempts: Int? = nil, _ pass: inout Pass
    ) async throws {
        pass.isPaused = true
        pass.wait = (try await pause(records, error, attempts: attempts), error)
    }

    /// Sends nothing for a while, the longer the more attempts have failed in a row.
    ///
    /// - Parameters:
    ///   - records: The records that were sent without a response.
    ///   - attempts: How often attempts have failed; `nil` for once more than before.
    /// - Returns: When something can be sent again.
    func pause(_ records: [PushRecord], _ error: SyncError, attempts: Int? = nil) async throws -> Date {
        let earlier = try await store.reading("reading the store") { try SyncPause.read($0) }
        let attempts = attempts ?? (earlier?.attempts ?? 0) + 1
        let seconds = environment.retries.delaySeconds(after: attempts, random: environment.random())
        let date = environment.clock.now.addingTimeInterval(seconds)
        let isDespiteAnswers = earlier?.isDespiteAnswers ?? false
        try await pause(
            records,
            SyncPause(
                until: date, attempts: attempts, isDespiteAnswers: isDespiteAnswers, isServers: false, error: error))
        return date
    }

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

extension PushRecord {
    /// Whether it has failed so often that the lack of a response may be due to the change itself.
    fileprivate var isSuspicious: Bool { attempts >= 3 }
}
