import Foundation
import LockstepStore
import LockstepSystem

/// Publishes the status of a sync to any number of subscribers. Each receives the latest status, not all in between,
/// and no status twice in a row.
///
/// It keeps what each part of the sync does, and derives the status from all of it, so that the parts do not replace
/// each other's.
final class SyncStatusBoard: Sendable {
    private struct Wait {
        let date: Date
        let error: SyncError
    }

    private struct State {
        /// The number of operations that run or wait for their turn, without routine ones.
        var operationCount = 0
        /// What the current operation does; `nil` if there is none, or nothing is to be shown of it.
        var activity: SyncStatus?
        /// The number of calls of `run`.
        var runCount = 0
        /// Why nothing is transferred until the next operation.
        var problem: SyncError?
        /// Until when pushing waits.
        var push: Wait?
        /// The entities that cannot be followed now, in the order in which they began to fail.
        var entities: [(name: String, wait: Wait)] = []
        var shown = SyncStatus.idle
        var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
        var lastListener = 0

        var status: SyncStatus {
            if let activity { return activity }
            if let problem { return .stopped(because: problem) }
            if let wait = push ?? entities.first?.wait { return .waiting(until: wait.date, because: wait.error) }
            return runCount > 0 ? .following : .idle
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

    /// What the operation whose turn it is does.
    func show(_ activity: SyncStatus) { update { $0.activity = activity } }

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

    // MARK: What waits

    /// Nothing, or a certain change, can be sent until this time.
    func waitToPush(until date: Date, because error: SyncError) {
        update { $0.push = Wait(date: date, error: error) }
    }

    func stopWaitingToPush() { update { $0.push = nil } }

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

    /// An entity is being followed again.
    func recover(_ entity: String) { update { $0.entities.removeAll { $0.name == entity } } }

    // MARK: Following

    func beginRun() { update { $0.runCount += 1 } }

    /// Nothing is being followed any more.
    ///
    /// - Parameter problem: Why, if that is to be reported.
    func endRun(because problem: SyncError? = nil) {
        update { state in
            state.runCount -= 1
            (state.entities, state.push) = ([], nil)
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

    /// The current status, followed by each new one.
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
