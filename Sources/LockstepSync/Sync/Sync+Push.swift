import Foundation
import GRDB
public import LockstepStore

extension Sync {
    /// Sends the local changes that the server has not confirmed yet, in order, until none is left that can be sent.
    ///
    /// If the server cannot be reached or is unavailable, it is retried after a delay, as often as `attemptsPerPush` of
    /// the sync's ``RetrySchedule`` allows, but not if that is later than its `maximumPushWaitSeconds`. Remaining
    /// changes stay in the outbox with the time of the next attempt, for the next push or for ``run(_:)``. A change
    /// that the server permanently rejects is parked, and changes that do not depend on it are still sent (rule P8).
    ///
    /// Cancelling it loses nothing: what was sent without a response is sent again the next time, and takes effect
    /// once.
    ///
    /// - Returns: The numbers of sent and of remaining changes.
    /// - Throws: ``/LockstepHTTP/SyncError`` with the code `network`, `timeout` or `unavailable` if the server could
    ///   not be reached in any attempt, `unauthorized`, and `updateNeeded`; `CancellationError`; `StoreError`.
    @discardableResult
    public func push() async throws -> PushSummary { try await push(selecting: nil) }

    /// Sends the local changes of one entity, after the changes that they depend on.
    ///
    /// - Throws: As ``push()``.
    @discardableResult
    public func push<Object: Model>(_ type: Object.Type) async throws -> PushSummary {
        let name = type.entity.name
        return try await push { plan, _ in plan.name == name }
    }

    func push(selecting selection: (@Sendable (EntityPlan, RecordKey) -> Bool)?) async throws -> PushSummary {
        let session = PushSession(environment, selection: selection)
        let summary = try await send(attempts: retries.attemptsPerPush) { session }
        // What fails is left for the next push.
        _ = try await attachments?.uploadLost()
        return summary
    }

    /// Sends until nothing that can be sent is left. While it waits, it is nobody's turn: others pull and push.
    ///
    /// - Parameters:
    ///   - attempts: How often to wait and retry; 0 to return without waiting.
    ///   - begin: Makes the session when its first turn has come.
    func send(attempts: Int, beginning begin: () async throws -> PushSession) async throws -> PushSummary {
        let number = board.makePush()
        return try await environment.wakeups.withSignal { wakeup in
            try await send(attempts, number: number, wakeup: wakeup, begin: begin)
        }
    }

    /// - Parameters:
    ///   - number: That of the push on the board.
    ///   - wakeup: Ends a wait.
    private func send(
        _ attempts: Int, number: Int, wakeup: AsyncSignal, begin: () async throws -> PushSession
    ) async throws -> PushSummary {
        var summary = PushSummary()
        var known: PushSession?
        var waits = 0
        while true {
            let (sent, earlier) = (summary, known)
            // `run` sends after each commit.
            let (session, pass) = try await exclusively(isRoutine: attempts == 0) {
                let session: PushSession
                if let earlier {
                    session = earlier
                    try await session.markAgain()
                } else {
                    session = try await begin()
                }
                return (session, try await sendPass(of: session, after: sent))
            }
            known = session
            summary = pass.summary
            summary.wait = pass.wait
            try await session.noteParked()
            guard let (date, error) = pass.wait else { break }
            if summary.sent > sent.sent { waits = 0 }
            waits += 1
            let seconds = date.timeIntervalSince(environment.clock.now)
            guard waits < attempts, seconds <= retries.maximumPushWaitSeconds else {
                if pass.isPaused && attempts > 0 { throw error }
                break
            }
            board.waitToPush(number, until: date, because: error)
            defer { board.stopWaitingToPush(number) }
            if pass.isPaused {
                try await waitForPause(until: date)
            } else {
                try await environment.clock.wait(for: wakeup, until: date)
            }
        }
        // `run` needs no summary.
        if attempts > 0 { try await known?.countPending(&summary) }
        return summary
    }

    /// Waits until the pause is over: until this time, or until a response to another request has ended it, whichever
    /// sync of the store got it.
    private func waitForPause(until date: Date) async throws {
        let commits = AsyncSignal()
        let observer = CommitSignal(commits)
        store.writer.add(transactionObserver: observer, extent: .observerLifetime)
        defer { store.writer.remove(transactionObserver: observer) }
        while date > environment.clock.now {
            let pause = try await store.reading("reading the store") { try SyncPause.read($0) }
            guard let pause, pause.end(at: environment.clock.now, retries: retries) != nil else { return }
            try await environment.clock.wait(for: commits, until: date)
            try Task.checkCancellation()
        }
    }
}
