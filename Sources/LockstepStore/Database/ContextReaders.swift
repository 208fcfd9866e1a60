import GRDB
import LockstepSystem

/// The connections that contexts read with.
///
/// A context keeps its connection for as long as it lives, because it reads often and little: GRDB's pool takes as long
/// to hand out a reader, and to check the version of its schema, as SQLite takes to find a record. If there are more
/// contexts than ``maximumCount``, the others read with the pool.
final class ContextReaders: Sendable {
    /// The main context, that of `perform`, and two more.
    static let maximumCount = 4

    /// `nil` if the store has one connection only, for example because it is in memory.
    private let path: String?
    private let configuration: Configuration
    private let state = Locked(State())

    private struct State {
        var isClosed = false
        /// How many are open or being opened.
        var count = 0
        /// `DatabaseQueue` is sendable, so it may leave the lock.
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
        let (unused, mayOpen) = state.withLock { state -> (DatabaseQueue?, Bool) in
            if state.isClosed { return (nil, false) }
            if let queue = state.unused.popLast() { return (queue, false) }
            guard state.count < Self.maximumCount else { return (nil, false) }
            state.count += 1
            return (nil, true)
        }
        guard mayOpen else { return unused }
        // Without the lock, because it runs what the app prepares. If it fails, for example because too many files are
        // open, one of the store's readers serves as well.
        let queue = try? DatabaseQueue(path: path, configuration: configuration)
        let isKept = state.withLock { state in
            guard let queue, !state.isClosed else {
                state.count -= 1
                return false
            }
            state.all.append(queue)
            return true
        }
        return isKept ? queue : nil
    }

    /// Gives back a connection that a context took.
    func giveBack(_ queue: DatabaseQueue) {
        state.withLock { if !$0.isClosed { $0.unused.append(queue) } }
    }

    /// Closes all connections, whether contexts have them or not.
    ///
    /// - Throws: GRDB's error if a statement is still running. The connections that could not be closed are closed by
    ///   the next call.
    func close() throws {
        let queues = state.withLock { state in
            state.isClosed = true
            state.unused = []
            defer { state.all = [] }
            return state.all
        }
        var failure: (any Error)?
        for queue in queues {
            do { try queue.close() } catch {
                failure = failure ?? error
                state.withLock { $0.all.append(queue) }
            }
        }
        if let failure { throw failure }
    }
}
