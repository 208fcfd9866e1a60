public import Foundation
public import LockstepStore

/// What a server has, and what happened to it: a value, which the fakes' dialects change one request at a time.
///
/// Nothing in it asks for time or randomness, so that the same requests make the same state.
public struct ServerState: Sendable {
    /// The collections by their paths: `/entries`.
    public internal(set) var collections: [String: ServerCollection] = [:]
    /// The one tree that a Firebase-style server keeps instead; never with `null`, `{}` or `[]` in it.
    public internal(set) var tree: JSONValue = .null
    /// What took effect, in order.
    public internal(set) var changes: [ServerChange] = []
    /// The server's time.
    public internal(set) var now = Date(timeIntervalSince1970: 0)
    /// The last version that was given to a record.
    public internal(set) var lastVersion = 0
    /// What was written into the tree, in order: for those who watch it.
    var treeChanges: [TreeChange] = []
    /// The credentials that are taken, and until when; `nil` where none are asked for.
    var tokens: [String: Date]?
    /// The answers to requests with an idempotency key, by that key.
    var answers: [String: StoredAnswer] = [:]

    public init() {}

    /// A collection's records in the order in which they were made.
    public func records(of path: String) -> [JSONValue] { collections[path]?.records.map(\.json) ?? [] }
}

/// Something that took effect on a server.
public struct ServerChange: Sendable, Hashable {
    public let kind: Kind
    /// The path of the collection, or of the place in a tree.
    public let path: String
    /// The record's key; `nil` for a place in a tree.
    public let key: String?
    /// The members that were sent; `null` for what is gone.
    public let json: JSONValue
    public let at: Date
    /// Of the request that made it, where it had one.
    public let idempotencyKey: String?

    public enum Kind: String, Sendable, Hashable { case created, updated, deleted }
}

extension ServerChange: CustomStringConvertible {
    /// `created /entries/7`
    public var description: String { "\(kind.rawValue) \(path)\(key.map { "/" + $0 } ?? "")" }
}

/// Something that was written into a tree.
struct TreeChange: Sendable {
    let parts: [String]
    /// What was written, as it was sent.
    let value: JSONValue
    /// Whether only these members were.
    let isPatch: Bool
}

/// The answer to a request that had an idempotency key.
struct StoredAnswer: Sendable {
    /// What was asked: another request with the same key is a fault of the client.
    let request: String
    let response: Response

    enum Response: Sendable {
        case record(key: String, version: Int, json: JSONValue)
        case http(ServerAnswer)
    }
}

extension ServerState {
    /// Makes or replaces a record.
    @discardableResult
    mutating func put(
        _ json: JSONValue, at key: String, in path: String, sent: JSONValue? = nil, idempotencyKey: String? = nil
    ) -> ServerRecord {
        let kind: ServerChange.Kind = collections[path]?[key] == nil ? .created : .updated
        lastVersion += 1
        collections[path, default: ServerCollection()].put(json, at: key, version: lastVersion, now: now)
        changes.append(
            ServerChange(
                kind: kind, path: path, key: key, json: sent ?? json, at: now, idempotencyKey: idempotencyKey))
        let number = collections[path]?[key]?.number ?? 0
        return ServerRecord(key: key, json: json, version: lastVersion, modifiedAt: now, number: number)
    }

    /// Takes a record away, if it is there.
    @discardableResult
    mutating func remove(_ key: String, from path: String, idempotencyKey: String? = nil) -> Bool {
        guard collections[path]?[key] != nil else { return false }
        lastVersion += 1
        collections[path]?.remove(key, version: lastVersion, now: now)
        changes.append(
            ServerChange(
                kind: .deleted, path: path, key: key, json: .null, at: now, idempotencyKey: idempotencyKey))
        return true
    }

    /// The next number of a collection that no record has had.
    mutating func makeIdentity(in path: String) -> Int64 {
        collections[path, default: ServerCollection()].lastIdentity += 1
        return collections[path]?.lastIdentity ?? 1
    }
}
