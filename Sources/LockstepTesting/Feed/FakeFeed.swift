import Foundation
package import LockstepStore
package import LockstepSync
import LockstepSystem

/// An in-process server with a feed (rule H3), for tests.
///
/// It numbers the changes of each scope in the order in which they are committed, keeps deleted records as tombstones
/// until they expire, and applies a change once for each idempotency key. It has the habits of the original: small
/// pages, transactions that are committed late, responses without a record.
package final class FakeFeed: Sendable {
    /// What the server knows of the schema.
    package struct Rules: Sendable {
        /// The scope of a record; `nil` if it cannot be stored, because it refers to nothing.
        package var scope: @Sendable (_ entity: String, _ record: JSONValue, _ state: FeedState) -> String?
        /// The records that are deleted with one.
        package var dependents: @Sendable (_ key: FeedState.Key, _ state: FeedState) -> [FeedState.Key]
        /// The maximum number of changes in a page.
        package var pageSize: Int
        /// Whether the response to a change contains the record.
        package var respondsWithRecord: Bool
        /// What it does wrong.
        package var fault: Fault?
        /// What the server adds to a record that it stores.
        package var fill: @Sendable (_ entity: String, _ record: inout JSONValue) -> Void

        package init(
            pageSize: Int = 1_000, respondsWithRecord: Bool = true, fault: Fault? = nil,
            dependents: @escaping @Sendable (FeedState.Key, FeedState) -> [FeedState.Key] = { _, _ in [] },
            fill: @escaping @Sendable (String, inout JSONValue) -> Void = { _, _ in },
            scope: @escaping @Sendable (String, JSONValue, FeedState) -> String?
        ) {
            self.pageSize = pageSize
            self.respondsWithRecord = respondsWithRecord
            self.fault = fault
            self.dependents = dependents
            self.fill = fill
            self.scope = scope
        }
    }

    /// A fault because of which changes are lost.
    package enum Fault: Sendable {
        /// A transaction gets its numbers before it is committed, as from a sequence.
        case numbersEarly
        /// After a backup was restored, versions begin again where those of the backup end.
        case repeatsVersions
    }

    package let rules: Rules
    private let state = Locked(FeedState())

    package init(_ rules: Rules) { self.rules = rules }

    /// The server for a user.
    ///
    /// - Parameters:
    ///   - user: The user, who reads and writes the scopes that were granted.
    ///   - batchCount: How many changes a request contains at most.
    package func remote(for user: String, batchCount: Int = 1) -> any Remote {
        FakeFeedRemote(server: self, user: user, batchCount: batchCount)
    }

    /// The state of the server.
    package var snapshot: FeedState { state.withLock { $0 } }

    func act<Value>(_ body: (inout FeedState) -> Value) -> Value { state.withLock { body(&$0) } }

    // MARK: What others do

    /// Creates or replaces a record.
    package func set(_ record: JSONValue, id: JSONValue, of entity: String) {
        act { state in _ = state.put(record, at: FeedState.Key(entity, values: [id]), rules: rules) }
    }

    /// Changes some members of a record, if it exists.
    package func edit(_ id: JSONValue, of entity: String, members: JSONObject) {
        act { state in
            let key = FeedState.Key(entity, values: [id])
            guard var json = state.records[key]?.json else { return }
            for (name, value) in members { json[name] = value }
            _ = state.put(json, at: key, rules: rules)
        }
    }

    /// Deletes a record, with those that depend on it.
    package func remove(_ id: JSONValue, of entity: String) {
        act { $0.remove(FeedState.Key(entity, values: [id]), rules: rules) }
    }

    /// Begins a transaction that creates or replaces a record, and is committed later: ``commitHeld()``.
    package func hold(_ record: JSONValue, id: JSONValue, of entity: String) {
        act { $0.hold(record, at: FeedState.Key(entity, values: [id]), rules: rules) }
    }

    /// Commits the oldest transaction that is open.
    package func commitHeld() { act { $0.commitHeld(rules: rules) } }

    package func grant(_ scope: String, to user: String) { act { _ = $0.readers[scope, default: []].insert(user) } }

    package func revoke(_ scope: String, from user: String) { act { _ = $0.readers[scope]?.remove(user) } }

    /// Drops all tombstones: cursors from before them are expired.
    package func expireTombstones() { act { $0.expireTombstones() } }

    /// Restores the server from a backup.
    package func restore(_ backup: FeedState) {
        act { $0.restore(backup, repeatsVersions: rules.fault == .repeatsVersions) }
    }

    /// The records that a user may read.
    package func records(of entity: String, for user: String) -> [JSONValue] {
        let state = snapshot
        return state.records.filter { $0.key.entity == entity && state.canRead($0.value.scope, user: user) }
            .sorted { $0.key.text < $1.key.text }.map(\.value.json)
    }
}

/// The server of a ``FakeFeed``, for one user.
struct FakeFeedRemote: Remote {
    let server: FakeFeed
    let user: String
    let batchCount: Int

    var traits: RemoteTraits {
        RemoteTraits(sends: batchCount > 1 ? .batches(of: batchCount) : .changes, hasFeed: true)
    }

    func feed(after cursor: String?) async throws -> FeedPage {
        server.act { $0.page(after: cursor, for: user, pageSize: server.rules.pageSize) }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .record(let identity) = request.target else {
            let list = JSONValue.array(server.records(of: request.entity.name, for: user))
            return .records(FetchResponse.Records(body: .data(try list.json())))
        }
        let state = server.snapshot
        guard let record = state.records[FeedState.Key(request.entity.name, values: identity.values)],
            state.canRead(record.scope, user: user)
        else { return .absent }
        return .records(FetchResponse.Records(body: .data(try record.json.json()), version: String(record.version)))
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        server.act { $0.apply(change, of: user, rules: server.rules) }
    }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        changes.map { change in .response(server.act { $0.apply(change, of: user, rules: server.rules) }) }
    }
}
