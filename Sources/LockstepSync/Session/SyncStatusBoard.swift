import Foundation
import LockstepMerge
import LockstepStore
import LockstepSystem

/// Derives the status of a sync from what each part of it does, so that the parts do not replace each other's, and
/// publishes it to any number of subscribers.
final class SyncStatusBoard: Sendable {
    private struct Wait {
        let date: Date
        let error: SyncError
    }

    /// The activity of the operation whose turn it is.
    enum Activity: Sendable {
        case pushing(done: Int, count: Int)
        /// `merge` is `nil` until the body has arrived.
        case pulling(entity: String, merge: MergeProgress? = nil)
    }

    private struct State {
        /// The number of operations that run or wait for their turn, without routine ones.
        var operationCount = 0
        /// `nil` if there is no operation, or nothing is to be shown of it.
        var activity: Activity?
        /// The collections that a pull of all fetches; `nil` if there is none.
        var collections: (done: Int, count: Int)?
        /// The number of calls of `run`.
        var runCount = 0
        /// The collections that `run` follows, with the time of the last response that was merged.
        var followed: [String: Date?] = [:]
        /// When `run` had first nothing to send.
        var hasPushed: Date?
        /// Why nothing is transferred until the next operation.
        var problem: SyncError?
        /// Until when pushes wait: `run` as number 0, and each call of `push()`.
        var pushes: [Int: Wait] = [:]
        var lastPush = 0
        /// The entities that cannot be followed now, in the order in which they began to fail.
        var entities: [(name: String, wait: Wait)] = []
        var attention = SyncAttention()
        /// The records of each entity that could not be merged.
        var skipped: [String: Set<String>] = [:]
        /// Why the device has no network; `nil` if it has, or nobody watches it.
        var disconnection: SyncError?
        var shown = SyncStatus.idle
        var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
        var lastListener = 0

        var status: SyncStatus {
            if let activity { return .syncing(progress(of: activity)) }
            if let problem { return .stopped(because: problem) }
            let wait = pushes[0] ?? pushes.min { $0.key < $1.key }?.value ?? entities.first?.wait
            if let wait, wait.error.isUnreachable { return .offline(until: wait.date, because: wait.error) }
            if runCount > 0, let disconnection { return .offline(until: wait?.date, because: disconnection) }
            if let wait { return .waiting(until: wait.date, because: wait.error) }
            guard runCount > 0 else { return .idle }
            // A live stream that has sent nothing yet is being opened.
            guard let hasPushed, followed.values.allSatisfy({ $0 != nil }) else { return .syncing(SyncProgress()) }
            if attention.isNeeded { return .needsAttention(attention) }
            return .upToDate(since: followed.values.compactMap(\.self).min() ?? hasPushed)
        }

        private func progress(of activity: Activity) -> SyncProgress {
            var progress = SyncProgress()
            switch activity {
            case .pushing(let done, let count): (progress.sentChanges, progress.changeCount) = (done, count)
            case .pulling(let entity, let merge):
                (progress.entity, progress.merge) = (entity, merge)
                let fetched = followed.values.count { $0 != nil }
                let all = collections ?? (fetched < followed.count ? (fetched, followed.count) : (0, 0))
                (progress.fetchedCollections, progress.collectionCount) = all
            }
            return progress
        }
    }

    private let state = Locked(State())

    var status: SyncStatus { state.withLock { $0.shown } }

    // MARK: One operation

    /// An operation is requested.
    func begin(isRoutine: Bool = false) {
        update { state in
            if !isRoutine { state.operationCount += 1 }
            state.problem = nil
        }
    }

    /// Shows the activity of the operation whose turn it is.
    func show(_ activity: Activity) { update { $0.activity = activity } }

    /// An operation has ended. If others wait for their turn, the status does not change in between.
    ///
    /// - Parameter problem: Why nothing is transferred any more; `nil` if that is not so.
    func end(isRoutine: Bool = false, because problem: SyncError? = nil) {
        update { state in
            if !isRoutine { state.operationCount -= 1 }
            if let problem { state.problem = problem }
            if state.operationCount == 0 || problem != nil { state.activity = nil }
        }
    }

    /// How many collections a pull of all has fetched; `nil` when it has ended.
    func showCollections(_ collections: (done: Int, count: Int)?) { update { $0.collections = collections } }

    // MARK: What waits

    /// A number for a call of `push()`; `run` has 0.
    func makePush() -> Int {
        state.withLock { state in
            state.lastPush += 1
            return state.lastPush
        }
    }

    /// Nothing, or a certain change, can be sent until this time.
    func waitToPush(_ push: Int = 0, until date: Date, because error: SyncError) {
        update { $0.pushes[push] = Wait(date: date, error: error) }
    }

    func stopWaitingToPush(_ push: Int = 0) { update { $0.pushes[push] = nil } }

    /// An entity cannot be followed until this time.
    func wait(_ entity: String, until date: Date, because error: SyncError) {
        update { state in
            let wait = Wait(date: date, error: error)
            if let index = state.entities.firstIndex(where: { $0.name == entity }) {
                state.entities[index].wait = wait
            } else {
                state.entities.append((entity, wait))
            }
        }
    }

    /// Notes that the server's records of an entity were merged at this time.
    func recover(_ entity: String, at date: Date) {
        update { state in
            state.entities.removeAll { $0.name == entity }
            if state.followed[entity] != nil { state.followed[entity] = .some(date) }
        }
    }

    /// The device has no network, or has one again.
    func note(disconnection: SyncError?) { update { $0.disconnection = disconnection } }

    // MARK: What needs attention

    /// `run` has sent what can be sent.
    func notePushed(_ outbox: OutboxStatus, at date: Date) {
        update { state in
            state.hasPushed = state.hasPushed ?? date
            state.attention.parkedCount = outbox.parkedCount
            state.attention.failingCount = outbox.failingCount
            state.attention.leftoverCount = outbox.leftoverCount
        }
    }

    /// Some records of an entity could not be merged.
    ///
    /// - Parameter isAll: Whether everything that the server has was merged otherwise.
    func noteSkipped(_ records: [SkippedRecord], of entity: String, isAll: Bool) {
        let names = records.map { "\($0.identity ?? "#\($0.index)") \($0.keyPath)" }
        update { state in
            state.skipped[entity] = isAll ? Set(names) : (state.skipped[entity] ?? []).union(names)
            state.attention.skippedCount = state.skipped.values.reduce(0) { $0 + $1.count }
        }
    }

    // MARK: Following

    func beginRun(following entities: [String]) {
        update { state in
            state.runCount += 1
            for entity in entities where state.followed[entity] == nil { state.followed[entity] = .some(nil) }
        }
    }

    /// Nothing is being followed any more.
    ///
    /// - Parameter problem: Why, if that is to be reported.
    func endRun(because problem: SyncError? = nil) {
        update { state in
            state.runCount -= 1
            if state.runCount == 0 {
                (state.entities, state.pushes[0], state.disconnection) = ([], nil, nil)
                (state.followed, state.hasPushed, state.skipped) = ([:], nil, [:])
                state.attention = SyncAttention()
            }
            if let problem { state.problem = problem }
        }
    }

    // MARK: Publishing

    private func update(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            let status = state.status
            guard !status.isSame(as: state.shown) else { return }
            state.shown = status
            // With the lock, so that no subscriber receives an older status last.
            for listener in state.listeners.values { listener.yield(status) }
        }
    }

    /// The current status, followed by each new one. A slow subscriber receives the latest.
    func updates() -> AsyncStream<SyncStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                continuation.yield(state.shown)
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }
}
