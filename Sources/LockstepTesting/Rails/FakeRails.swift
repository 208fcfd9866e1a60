public import Foundation
public import LockstepStore
public import LockstepSync
import LockstepSystem

/// A Rails-style server for tests: collections of records as JSON.
///
/// It supports `GET` and `POST` of a collection and `GET`, `PATCH`, `PUT`, `DELETE` of a record; ids, which it makes if
/// a record has none; pages by `Link` and by `page` and `per_page`; filters by member, and children at
/// `/articles/3/comments`; `ETag`, `Last-Modified` and 304; `If-Match` and 412; `Idempotency-Key`; 401 with bearer
/// tokens that expire; lists of what has changed (`changes` of ``RailsRules``); batches of requests
/// (`batches`); `Date`; 404, 410, 415, 422. Embedded records and lists of ids are stored as they were
/// sent; those of `nested` get ids of their own, like nested attributes in Rails.
///
/// ```swift
/// let server = try await FakeRails.start(RailsRules(pageSize: 50))
/// server.set(["id": 3, "title": "Milk"], in: "/tasks")
/// server.respondNext(.status(503, retryAfter: 5), to: .method(.post))
/// // … sync with server.url …
/// #expect(server.log == ["GET /tasks", "POST /tasks", "POST /tasks"])
/// await server.stop()
/// ```
public final class FakeRails: FakeServer {
    @_spi(Requirements) public let connections: FakeConnections
    private let rules: RailsRules

    /// Creates a server in process. It has no socket until ``FakeServer/listen(port:)`` is called.
    ///
    /// - Parameters:
    ///   - rules: How it differs from the default.
    ///   - clock: The server's time.
    public init(_ rules: RailsRules = RailsRules(), clock: any SyncClock = SystemClock()) {
        self.rules = rules
        var state = ServerState()
        state.commitSeconds = rules.changes?.commitSeconds
        connections = FakeConnections(ServerCore(dialect: RailsDialect(rules: rules), clock: clock, state: state))
    }

    @_spi(Requirements) public func records(of path: String) -> [JSONValue] {
        core.state.withLock { $0.server.records(of: path) }
    }

    @_spi(Requirements) public func record(_ id: String, of path: String) -> JSONValue? {
        core.state.withLock { $0.server.collections[path]?[id]?.json }
    }

    /// A record's version, as in `If-Match` and `ETag`; `nil` if the record does not exist.
    package func entityTag(_ id: String, of path: String) -> String? {
        core.state.withLock { $0.server.collections[path]?[id]?.tag }
    }

    /// Creates or replaces a record, as another client would. A record without an identity gets one.
    ///
    /// - Returns: The last part of its address.
    @discardableResult
    public func set(_ record: JSONValue, in path: String) -> String {
        core.change { state in
            var record = record
            let identityKey = rules.identityKeys[path] ?? "id"
            let key = record[identityKey]?.plainText ?? String(state.server.makeIdentity(in: path))
            if record[identityKey] == nil { record[identityKey] = Int64(key).map(JSONValue.integer) }
            rules.countVersion(&record, of: path, after: state.server.collections[path]?[key]?.json)
            state.server.put(record, at: key, in: path)
            return key
        }
    }

    /// Creates or replaces many records.
    public func set(_ records: [JSONValue], in path: String) {
        for record in records { set(record, in: path) }
    }

    /// Changes some members of a record, as another client would. Does nothing if the record does not exist.
    public func edit(_ id: String, of path: String, _ members: JSONObject) {
        core.change { state in
            guard let current = state.server.collections[path]?[id]?.json else { return }
            var json = current
            for (key, value) in members { json[key] = value }
            rules.countVersion(&json, of: path, after: current)
            state.server.put(json, at: id, in: path, sent: .object(members))
        }
    }

    /// Makes lists lag behind: they lack the records that were created in the last seconds, like those of a replica
    /// that has not received them yet. Requests for one record, and changes, are handled by the server itself.
    public func lagLists(bySeconds seconds: TimeInterval) { core.change { $0.server.listLagSeconds = seconds } }

    /// Deletes a record, as another client would.
    public func remove(_ id: String, from path: String) {
        core.change { state in _ = state.server.remove(id, from: path) }
    }
}
