import Foundation
import GRDB
import LockstepStore

/// Wakes the task that waits for work. A signal without a waiting task is kept for the next one.
actor AsyncSignal {
    private var isSignaled = false
    private var waiter: (id: Int, continuation: CheckedContinuation<Void, any Error>)?
    private var lastID = 0

    /// - Parameter isSignaled: Whether the first wait ends at once.
    init(isSignaled: Bool = false) { self.isSignaled = isSignaled }

    func signal() {
        guard let waiter else {
            isSignaled = true
            return
        }
        self.waiter = nil
        waiter.continuation.resume()
    }

    /// Waits for a signal. One task waits at a time.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        if isSignaled {
            isSignaled = false
            return
        }
        lastID += 1
        let id = lastID
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiter = (id, continuation)
            }
        } onCancel: {
            Task { await self.abandon(id) }
        }
    }

    /// May run late, when another task is waiting.
    private func abandon(_ id: Int) {
        guard let waiter, waiter.id == id else { return }
        self.waiter = nil
        waiter.continuation.resume(throwing: CancellationError())
    }
}

/// Signals each committed transaction of the store, after which something may be pending.
final class CommitSignal: TransactionObserver {
    private let signal: AsyncSignal

    init(_ signal: AsyncSignal) { self.signal = signal }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ database: Database) {}

    func databaseDidCommit(_ database: Database) {
        Task { [signal] in await signal.signal() }
    }
}

extension SyncClock {
    /// Waits for the signal, at most until the deadline.
    func wait(for signal: AsyncSignal, until deadline: Date?) async throws {
        guard let deadline else { return try await signal.wait() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await signal.wait() }
            group.addTask { try await sleep(until: deadline) }
            _ = try await group.next()
            group.cancelAll()
            // The other one ends with a cancellation.
            while let result = await group.nextResult() { _ = result }
        }
    }
}
