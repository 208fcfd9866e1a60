import GRDB
import LockstepSystem

/// The connections that contexts read with.
///
/// A context keeps its connection for as long as it lives, because it reads often and little: GRDB's pool takes as long
/// to hand out a reader, and to check the version of its schema, as SQLite takes to find a record. A store has one
/// context for the main actor and one at a time for `perform`, so there are two of these connections, beside those of
/// the pool.
final class ContextReaders: Sendable {
    /// `nil` if the store has one connection only, for example because it is in memory.
    private let path: String?
    private let configuration: Configuration
    private let state = Locked(State())

    private struct State {
        var isClosed = false
        var all: [DatabaseQueue] = []
        var unused: [DatabaseQueue] = []
    }

    init(_ writer: any DatabaseWriter) {
        path = (writer as? DatabasePool)?.path
        var configuration = writer.configuration
        configuration.readonly = true
        configuration.label = "\(configuration.label ?? "Lockstep").context"
        // As GRDB's own readers. In WAL mode, a reader keeps nobody from writing, and waits only for a recovery.
        configuration.busyMode = .timeout(StoreOpening.busyTimeoutSeconds)
        configuration.observesSuspensionNotifications = false
        configuration.allowsUnsafeTransactions = false
        self.configuration = configuration
    }

    /// A connection for a context; `nil` if it has to share those of the store.
    func take() -> DatabaseQueue? {
        guard let path else { return nil }
        return state.withLock { state in
            if state.isClosed { return nil }
            if let queue = state.unused.popLast() { return queue }
            // If it fails, for example because too many files are open, one of the store's readers serves as well.
            guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
            state.all.append(queue)
            return queue
        }
    }

    /// Gives back a connection that a context took.
    func giveBack(_ queue: DatabaseQueue) {
        state.withLock { if !$0.isClosed { $0.unused.append(queue) } }
    }

    /// Closes all connections, whether contexts have them or not.
    ///
    /// - Throws: GRDB's error if a statement is still running.
    func close() throws {
        let queues = state.withLock { state in
            state.isClosed = true
            state.unused = []
            defer { state.all = [] }
            return state.all
        }
        for queue in queues { try queue.close() }
    }
}
