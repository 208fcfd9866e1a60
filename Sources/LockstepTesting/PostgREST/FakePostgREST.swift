import Foundation
public import LockstepStore
public import LockstepSync
import LockstepSystem

/// A PostgREST-style server for tests, such as Supabase: tables of rows as JSON, as in PostgREST's documentation.
///
/// It supports `GET`, `POST`, `PATCH` and `DELETE` of a table; filters (`id=eq.7`, `neq`, `gt`, `gte`, `lt`, `lte`,
/// `is`, `in`), `order`, `limit`, `offset` and `Range`; `Prefer: return=representation`, `resolution=merge-duplicates`
/// and `ignore-duplicates`; errors as `{"code", "message", "details", "hint"}`; the field `apikey`, and bearer tokens.
///
/// It has the habits of the original that clients must know:
///
/// - `PATCH` and `DELETE` without a filter change all rows.
/// - Without `order`, rows are in any order: a row that is updated comes last.
/// - More rows than `maximumRows` are omitted silently.
/// - A write that finds no row, or none that the user may write, is a success with an empty list.
/// - Without `return=representation`, the response to a write is empty. There are no `ETag`s and no idempotency keys.
/// - A parameter that is no column is an error.
///
/// ```swift
/// let server = FakePostgREST(PostgRESTRules(required: ["/tasks": ["title"]], maximumRows: 100))
/// server.set(["id": 3, "title": "Milk"], in: "/tasks")
/// let remote = RESTRemote(server.url, client: server.client, conventions: .postgREST())
/// ```
public final class FakePostgREST: FakeServer {
    @_spi(Requirements) public let connections: FakeConnections
    private let rules: PostgRESTRules

    /// Creates a server in process. It has no socket until ``FakeServer/listen(port:)`` is called.
    ///
    /// - Parameters:
    ///   - rules: The tables and permissions.
    ///   - clock: The server's time.
    public init(_ rules: PostgRESTRules = PostgRESTRules(), clock: any SyncClock = SystemClock()) {
        self.rules = rules
        connections = FakeConnections(ServerCore(dialect: PostgRESTDialect(rules: rules), clock: clock))
    }

    @_spi(Requirements) public func records(of path: String) -> [JSONValue] {
        core.state.withLock { $0.server.records(of: path) }
    }

    /// A row of a table.
    ///
    /// - Parameters:
    ///   - id: The values of its primary key, joined by commas.
    ///   - path: The path of the table.
    @_spi(Requirements) public func record(_ id: String, of path: String) -> JSONValue? {
        core.state.withLock { $0.server.collections[path]?[id]?.json }
    }

    /// Inserts or replaces a row, as another client would. A row without a primary key gets a number as `id`.
    ///
    /// - Returns: The values of its primary key, joined by commas.
    @discardableResult
    public func set(_ row: JSONValue, in path: String) -> String {
        core.change { state in
            var row = row
            let key = rules.key(of: row, in: path) ?? state.server.number(&row, in: path, rules: rules)
            rules.countVersion(&row, of: path, after: state.server.collections[path]?[key]?.json)
            state.server.put(row, at: key, in: path)
            return key
        }
    }

    /// Inserts or replaces many rows.
    public func set(_ rows: [JSONValue], in path: String) {
        for row in rows { set(row, in: path) }
    }

    /// Changes some columns of a row, as another client would. Does nothing if the row does not exist.
    public func edit(_ id: String, of path: String, _ columns: JSONObject) {
        core.change { state in
            guard let current = state.server.collections[path]?[id]?.json else { return }
            var row = current
            for (column, value) in columns { row[column] = value }
            rules.countVersion(&row, of: path, after: current)
            state.server.put(row, at: id, in: path, sent: .object(columns))
        }
    }

    /// Deletes a row, as another client would.
    public func remove(_ id: String, from path: String) {
        core.change { state in _ = state.server.remove(id, from: path) }
    }
}

extension ServerState {
    /// Gives a row the next number of its table as its key.
    mutating func number(_ row: inout JSONValue, in path: String, rules: PostgRESTRules) -> String {
        let number = makeIdentity(in: path)
        if let column = rules.keys(of: path).first { row[column] = .integer(number) }
        return rules.key(of: row, in: path) ?? String(number)
    }
}

extension PostgRESTRules {
    /// Sets the version of a row, as a trigger would.
    ///
    /// - Parameter current: The previous row; `nil` for a new one.
    func countVersion(_ row: inout JSONValue, of path: String, after current: JSONValue?) {
        guard let column = versionKeys[path] else { return }
        if case .integer(let last)? = current?[column] {
            row[column] = .integer(last + 1)
        } else if row[column] == nil || row[column] == .null {
            row[column] = 1
        }
    }
}
