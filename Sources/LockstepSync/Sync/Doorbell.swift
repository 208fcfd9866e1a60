import Foundation
import GRDB
import LockstepStore

/// Wakes whoever waits for something to do. A ring that nobody waits for is kept for the next who comes.
actor Doorbell {
    private var hasRung = false
    private var waiter: (id: Int, continuation: CheckedContinuation<Void, any Error>)?
    private var lastID = 0

    func ring() {
        guard let waiter else {
            hasRung = true
            return
        }
        self.waiter = nil
        waiter.continuation.resume()
    }

    /// Waits for a ring. One at a time waits.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        if hasRung {
            hasRung = false
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

    /// It may come late: whoever waits by then is another one.
    private func abandon(_ id: Int) {
        guard let waiter, waiter.id == id else { return }
        self.waiter = nil
        waiter.continuation.resume(throwing: CancellationError())
    }
}

/// Rings whenever a transaction of the store is committed: something may be pending then.
final class CommitBell: TransactionObserver {
    private let bell: Doorbell

    init(_ bell: Doorbell) { self.bell = bell }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ database: Database) {}

    func databaseDidCommit(_ database: Database) {
        Task { [bell] in await bell.ring() }
    }
}

extension SyncClock {
    /// Waits until the bell rings, or until the time has come.
    func wait(for bell: Doorbell, until deadline: Date?) async throws {
        guard let deadline else { return try await bell.wait() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await bell.wait() }
            group.addTask { try await sleep(until: deadline) }
            _ = try await group.next()
            group.cancelAll()
            // The other one ends with a cancellation.
            while let result = await group.nextResult() { _ = result }
        }
    }
}
