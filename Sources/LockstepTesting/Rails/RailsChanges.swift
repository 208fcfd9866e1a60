public import Foundation
import LockstepStore
import LockstepSync

/// How a Rails-style server lists what has changed since a time: `GET /tasks?updated_since=2026-03-01T08:25:00Z`.
///
/// ```swift
/// // Changes become visible up to 20 seconds after the time that the server lists for them.
/// let changes = RailsChanges(deletions: .marked(by: "deleted_at")) { change in TimeInterval(change % 20) }
/// let server = FakeRails(RailsRules(changes: changes))
/// ```
public struct RailsChanges: Sendable {
    /// The parameter with the time.
    package var parameter: String
    /// The member of each listed record with the time of its last change.
    package var attribute: String
    package var deletions: Deletions
    /// For how many seconds the server knows what has changed. It responds with 410 to a request for what has changed
    /// since an earlier time. `nil` for all times.
    package var memorySeconds: TimeInterval?
    /// For how many seconds a change was in its transaction when it became visible. Its time is that at which the
    /// transaction began. The parameter is the number of the change on the server.
    package var commitSeconds: @Sendable (_ change: Int) -> TimeInterval

    /// How deleted records are listed.
    public enum Deletions: Sendable, Hashable {
        case unlisted
        /// As records of their identity, the time of the change, and this member with the same time. They are only in
        /// lists of changes.
        case marked(by: String)
        /// As identities under this key beside the list, if `wrapsResponses` is set.
        case listed(in: String)
    }

    /// - Parameters:
    ///   - parameter: The parameter with the time.
    ///   - attribute: The member of each listed record with the time of its last change.
    ///   - deletions: How deleted records are listed.
    ///   - memorySeconds: For how many seconds the server knows what has changed. It responds with 410 to a request for
    ///     what has changed since an earlier time. `nil` for all times.
    ///   - commitSeconds: For how many seconds a change was in its transaction when it became visible. Its time is that
    ///     at which the transaction began. The parameter is the number of the change on the server.
    public init(
        parameter: String = "updated_since", attribute: String = "updated_at", deletions: Deletions = .unlisted,
        memorySeconds: TimeInterval? = nil,
        commitSeconds: @escaping @Sendable (_ change: Int) -> TimeInterval = { _ in 0 }
    ) {
        self.parameter = parameter
        self.attribute = attribute
        self.deletions = deletions
        self.memorySeconds = memorySeconds
        self.commitSeconds = commitSeconds
    }
}

extension RailsChanges {
    /// The time of a request; `nil` if it asks for everything.
    func start(_ request: ServerRequest) -> Date? {
        request.parameter(parameter).map { ISO8601.date(from: $0) ?? .distantPast }
    }

    func isForgotten(_ start: Date, now: Date) -> Bool {
        memorySeconds.map { start < now.addingTimeInterval(-$0) } ?? false
    }

    /// The records that were changed since a time, in order.
    ///
    /// - Parameter identityKey: The member that is the identity.
    func records(of collection: ServerCollection?, since start: Date, identityKey: String) -> [JSONValue] {
        guard let collection else { return [] }
        var records = collection.records.filter { $0.stampedAt >= start }
            .map { ($0.number, stamped($0.json, date: $0.stampedAt)) }
        if case .marked(let key) = deletions {
            for tombstone in collection.tombstones.values where tombstone.stampedAt >= start {
                var json: JSONValue = .object([identityKey: tombstone.json[identityKey] ?? .null])
                json[key] = .string(Self.text(of: tombstone.stampedAt))
                records.append((tombstone.number, stamped(json, date: tombstone.stampedAt)))
            }
        }
        return records.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The identities of deleted records beside a list of changes; `nil` if there are none.
    func deleted(
        in collection: ServerCollection?, since start: Date, identityKey: String
    ) -> (key: String, identities: [JSONValue])? {
        guard case .listed(let key) = deletions else { return nil }
        let deleted = collection?.tombstones.values.filter { $0.stampedAt >= start }.sorted { $0.number < $1.number }
        return (key, (deleted ?? []).map { $0.json[identityKey] ?? .null })
    }

    /// The record with the time of its last change, unless the server has it as a value of its own.
    func stamped(_ json: JSONValue, date: Date) -> JSONValue {
        var json = json
        if json[attribute] == nil { json[attribute] = .string(Self.text(of: date)) }
        return json
    }

    private static func text(of date: Date) -> String { ISO8601.text(of: date) ?? "" }
}
