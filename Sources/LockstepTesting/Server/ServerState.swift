package import Foundation
public import LockstepStore

/// The records and the history of a server: a value that the dialects change, one request at a time.
///
/// It does not read the time or random numbers, so the same requests lead to the same state.
package struct ServerState: Sendable {
    /// The collections by their paths: `/entries`.
    package internal(set) var collections: [String: ServerCollection] = [:]
    /// The tree of a Firebase-style server, which has no collections. It never contains `null`, `{}` or `[]`.
    package internal(set) var tree: JSONValue = .null
    /// The changes that took effect, in order.
    package internal(set) var changes: [ServerChange] = []
    /// The server's time.
    package internal(set) var now = Date(timeIntervalSince1970: 0)
    /// The last version that was assigned to a record.
    package internal(set) var lastVersion = 0
    /// For how many seconds a change was in its transaction when it became visible; its time is that of the beginning.
    var commitSeconds: (@Sendable (_ version: Int) -> TimeInterval)?
    /// Lists lack the records that were created in the last seconds, as those of a replica that lags.
    var listLagSeconds: TimeInterval = 0
    /// The writes to the tree, in order, for streams.
    var treeChanges: [TreeChange] = []
    /// The accepted credentials and their expiry; `nil` if none are required.
    var tokens: [String: Date]?
    /// The responses to requests with an idempotency key, by that key.
    var responses: [String: StoredResponse] = [:]

    package init() {}

    /// The records of a collection, in the order in which they were created.
    package func records(of path: String) -> [JSONValue] { collections[path]?.records.map(\.json) ?? [] }
}

/// A change that took effect on a server.
public struct ServerChange: Sendable, Hashable {
    public let kind: Kind
    /// The path of the collection, or the path in a tree.
    public let path: String
    /// The record's key; `nil` for a path in a tree.
    public let key: String?
    /// The members that were sent; `null` for deleted values.
    public let json: JSONValue
    package let at: Date
    /// The idempotency key of the request, if it had one.
    public let idempotencyKey: String?

    public enum Kind: String, Sendable, Hashable { case created, updated, deleted }
}

extension ServerChange: CustomStringConvertible {
    /// `created /entries/7`
    public var description: String { "\(kind.rawValue) \(path)\(key.map { "/" + $0 } ?? "")" }
}

/// A write to a tree.
struct TreeChange: Sendable {
    let parts: [String]
    /// The value, as it was sent.
    let value: JSONValue
    /// Whether only these members were written.
    let isPatch: Bool
}

/// The response to a request with an idempotency key.
struct StoredResponse: Sendable {
    /// The request. Another request with the same key is an error of the client.
    let request: String
    let response: Response

    enum Response: Sendable {
        case record(key: String, version: Int, json: JSONValue)
        case http(ServerResponse)
    }
}

extension ServerState {
    /// Creates or replaces a record.
    @discardableResult
    mutating func put(
        _ json: JSONValue, at key: String, in path: String, sent: JSONValue? = nil, idempotencyKey: String? = nil
    ) -> ServerRecord {
        let kind: ServerChange.Kind = collections[path]?[key] == nil ? .created : .updated
        lastVersion += 1
        let stampedAt = stamp()
        collections[path, default: ServerCollection()].put(
            json, at: key, version: lastVersion, now: now, stampedAt: stampedAt)
        changes.append(
            ServerChange(
                kind: kind, path: path, key: key, json: sent ?? json, at: now, idempotencyKey: idempotencyKey))
        return collections[path]?[key]
            ?? ServerRecord(
                key: key, json: json, version: lastVersion, modifiedAt: now, stampedAt: stampedAt, number: 0,
                createdAt: now)
    }

    /// The records that a list shows, and their number without the limits of a page.
    ///
    /// - Parameter isReversed: Whether the order begins with the newest record.
    mutating func listed(
        _ path: String, filters: [(name: String, value: String)], from start: Int, count size: Int?,
        isReversed: Bool = false
    ) -> (records: [ServerRecord], total: Int) {
        if filters.isEmpty, listLagSeconds <= 0 {
            let total = collections[path]?.count ?? 0
            return (collections[path]?.records(from: start, count: size ?? total, isReversed: isReversed) ?? [], total)
        }
        let records = collections[path]?.records ?? []
        let all = (isReversed ? records.reversed() : records).filter { !isHidden($0) && $0.json.passes(filters) }
        return (Array(all.dropFirst(start).prefix(size ?? all.count)), all.count)
    }

    /// Whether lists do not show a record yet.
    private func isHidden(_ record: ServerRecord) -> Bool {
        listLagSeconds > 0 && record.createdAt > now.addingTimeInterval(-listLagSeconds)
    }

    /// Returns the suffix that distinguishes the `ETag` of a list that lags.
    func listTagSuffix(_ path: String) -> String {
        let hidden = listLagSeconds > 0 ? collections[path]?.records.count(where: isHidden) ?? 0 : 0
        return hidden > 0 ? "-\(hidden)" : ""
    }

    /// The time of the change that is being made.
    private func stamp() -> Date { now.addingTimeInterval(-(commitSeconds?(lastVersion) ?? 0)) }

    /// Deletes a record, if it exists.
    @discardableResult
    mutating func remove(_ key: String, from path: String, idempotencyKey: String? = nil) -> Bool {
        guard collections[path]?[key] != nil else { return false }
        lastVersion += 1
        let stampedAt = stamp()
        collections[path]?.remove(key, version: lastVersion, now: now, stampedAt: stampedAt)
        changes.append(
            ServerChange(
                kind: .deleted, path: path, key: key, json: .null, at: now, idempotencyKey: idempotencyKey))
        return true
    }

    /// The next number of a collection that no record has used.
    mutating func makeIdentity(in path: String) -> Int64 {
        collections[path, default: ServerCollection()].lastIdentity += 1
        return collections[path]?.lastIdentity ?? 1
    }
}
