public import Foundation
public import LockstepStore
import LockstepSync

/// A request to a remote, for tests to inspect.
public struct RemoteCall: Sendable {
    public let kind: Kind
    /// The path of the collection.
    public let path: String
    /// The record, if the request is about a record whose identity is known.
    public let identity: RemoteIdentity?
    public let query: [URLQueryItem]
    public let page: String?
    /// The whole record that was sent, and the changed members.
    public let body: JSONValue?
    public let changes: JSONValue?
    public let idempotencyKey: String?
    /// The version that the change was made to.
    public let version: String?
    /// The result: `accepted`, `refused 422`, `network`; `nil` while the request is pending.
    public internal(set) var outcome: String?

    public enum Kind: String, Sendable, Hashable { case fetch, create, update, delete, events }

    init(_ request: RemoteRequest) {
        kind = .fetch
        query = request.query
        page = request.page
        (body, changes, idempotencyKey, version) = (nil, nil, nil, nil)
        switch request.target {
        case .collection: (path, identity) = (request.entity.path, nil)
        case .path(let other): (path, identity) = (other, nil)
        case .record(let record): (path, identity) = (request.entity.path, record)
        }
    }

    init(_ change: OutgoingChange) {
        kind =
            switch change.kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        (path, identity) = (change.entity.path, change.identity)
        (query, page) = ([], nil)
        body = try? JSONValue(json: change.body)
        changes = try? JSONValue(json: change.changes)
        (idempotencyKey, version) = (change.idempotencyKey, change.version)
    }

    init(eventsOf entity: RemoteEntity) {
        (kind, path, identity) = (.events, entity.path, nil)
        (query, page, body, changes, idempotencyKey, version) = ([], nil, nil, nil, nil, nil)
    }

    /// Whether the request is a change.
    package var isChange: Bool { kind == .create || kind == .update || kind == .delete }
}

extension RemoteCall: CustomStringConvertible {
    /// `update /entries/7`
    public var description: String {
        let items = query.map { $0.name + "=" + ($0.value ?? "") } + (page.map { ["page=" + $0] } ?? [])
        let suffix = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        return "\(kind.rawValue) \(path)\(identity.map { "/" + $0.text } ?? "")\(suffix)"
    }
}
