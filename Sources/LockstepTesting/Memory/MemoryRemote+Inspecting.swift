public import Foundation
public import LockstepStore
import LockstepSync
import LockstepSystem

extension MemoryRemote {
    /// All requests, in the order of arrival.
    public var log: [RemoteCall] { state.withLock { $0.log } }

    /// All changes that took effect, in order.
    public var changes: [ServerChange] { state.withLock { $0.server.changes } }

    /// All records of the server.
    package var server: ServerState { state.withLock { $0.server } }

    /// The records of a collection, in the order in which they were created.
    public func records(of path: String) -> [JSONValue] { state.withLock { $0.server.records(of: path) } }

    /// A record, by its identity as text.
    public func record(_ id: String, of path: String) -> JSONValue? {
        state.withLock { $0.server.collections[path]?[id]?.json }
    }

    /// Creates or replaces a record, as another client would, and notifies subscribers.
    public func set(_ record: JSONValue, id: String, in path: String) {
        act { $0.put(dialect.stored(record), at: id, in: path) }
    }

    /// Changes some members of a record, as another client would. Does nothing if the record does not exist.
    public func edit(_ id: String, of path: String, _ members: JSONObject) {
        act { state in
            guard var json = state.collections[path]?[id]?.json else { return }
            for (key, value) in members { json[key] = value }
            state.put(dialect.stored(json), at: id, in: path, sent: .object(members))
        }
    }

    /// Deletes a record, as another client would.
    public func remove(_ id: String, from path: String) {
        act { _ = $0.remove(id, from: path) }
    }

    /// Makes lists lag behind: they lack the records that were created in the last seconds, like those of a replica
    /// that has not received them yet. Requests for one record, and changes, are handled by the server itself.
    public func lagLists(bySeconds seconds: TimeInterval) { act { $0.listLagSeconds = seconds } }

    /// Clears the log of requests and changes. Records and idempotency keys stay.
    public func clearLog() {
        state.withLock {
            $0.log = []
            $0.server.changes = []
            $0.firstCall = $0.lastCall + 1
        }
    }

    /// The number of subscribers of a collection.
    package func listenerCount(of path: String) -> Int {
        state.withLock { state in state.listeners.values.filter { $0.path == path }.count }
    }

    /// Ends every stream of events, as a server does when it is restarted.
    ///
    /// - Parameter error: The error of the streams; `nil` to end them without one.
    package func endEvents(throwing error: (any Error)? = nil) {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.continuation.finish(throwing: error) }
    }
}
