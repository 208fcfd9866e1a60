public import Foundation
public import LockstepTables

/// A page of a server's feed: the last change of each record since a cursor, in the order in which they were committed
/// (rule H3).
///
/// A record belongs to a *scope*, such as `list:42` or `user:7`: what a user may read is a set of scopes. Each write of
/// a record gives it a greater version, whatever its scope.
///
/// ```swift
/// FeedPage(
///     cursor: "8f2c:42=120", hasMore: false,
///     changes: [
///         FeedPage.Changes(
///             of: "Task", in: "list:42", records: Data(#"[{"id": 1, "title": "Milk"}]"#.utf8), versions: [118],
///             deletions: [FeedPage.Deletion(RemoteIdentity([2]), version: 119)])
///     ])
/// ```
public struct FeedPage: Sendable {
    /// Where the next page begins, in a form that only the remote reads.
    public var cursor: String
    /// Whether there is more now.
    public var hasMore: Bool
    /// The scopes that the user may no longer read. Their records are removed from the device.
    public var lostScopes: [String]
    /// Whether the server no longer knows what has changed since the cursor. Everything is then read from the start.
    public var isExpired: Bool
    package var changes: [Changes]

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - cursor: Where the next page begins, in a form that only the remote reads. It is stored in the transaction
    ///     that merges the page.
    ///   - hasMore: Whether there is more now.
    ///   - changes: The records and deletions by scope and entity, in any order.
    ///   - lostScopes: The scopes of which the device may have records, and that the user may no longer read.
    public init(cursor: String, hasMore: Bool = false, changes: [Changes] = [], lostScopes: [String] = []) {
        self.cursor = cursor
        self.hasMore = hasMore
        self.changes = changes
        self.lostScopes = lostScopes
        isExpired = false
    }

    /// The server no longer knows what has changed since the cursor: the feed was restored from a backup, or the cursor
    /// is older than the deletions that it keeps.
    public static let expired = FeedPage(isExpired: true)

    private init(isExpired: Bool) {
        (cursor, hasMore, lostScopes, changes) = ("", false, [], [])
        self.isExpired = isExpired
    }

    /// The records of an entity that were changed or deleted in a scope.
    public struct Changes: Sendable {
        package var entity: String
        package var scope: String
        package var records: Data
        package var versions: [Int64]
        package var deletions: [Deletion]

        /// - Parameters:
        ///   - entity: The name of the entity in the schema. One that the schema does not have is left out.
        ///   - scope: The scope that the records belong to now.
        ///   - records: The records as a JSON array.
        ///   - versions: The version of each record.
        ///   - deletions: The records that are no longer in the scope.
        public init(
            of entity: String, in scope: String, records: Data = Data("[]".utf8), versions: [Int64] = [],
            deletions: [Deletion] = []
        ) {
            self.entity = entity
            self.scope = scope
            self.records = records
            self.versions = versions
            self.deletions = deletions
        }
    }

    /// A record that is no longer in a scope.
    public struct Deletion: Sendable {
        package var identity: RemoteIdentity
        package var version: Int64
        package var movedTo: String?

        /// - Parameters:
        ///   - identity: The record's identity.
        ///   - version: The version that the deletion, or the move, has given it.
        ///   - movedTo: The scope that the record belongs to when the page is made, if the user may read that; `nil` if
        ///     the record was deleted, or the user may no longer read it.
        public init(_ identity: RemoteIdentity, version: Int64, movedTo: String? = nil) {
            self.identity = identity
            self.version = version
            self.movedTo = movedTo
        }
    }
}
