import Foundation
public import LockstepStore

/// How a Rails-style server differs from the default.
public struct RailsRules: Sendable {
    /// The paths of the collections; `nil` if any path is a collection.
    package var paths: Set<String>?
    /// The keys that bodies of a collection must be wrapped in: `["/products": "product"]`. Responses are not wrapped
    /// unless `wrapsResponses` is set.
    package var wrapKeys: [String: String]
    /// Whether responses are wrapped too, if there is a key: one record in the key, a collection in the key followed by
    /// an s.
    package var wrapsResponses: Bool
    /// The member that is the identity, by path. The default is `id`.
    package var identityKeys: [String: String]
    /// Whether identities that are UUIDs are stored and returned in upper case, whatever a request has, and found in
    /// any case, as in SQL Server.
    package var hasUppercaseUUIDs: Bool
    /// The maximum number of records on a page. A request can ask for fewer with `per_page`. `nil` for all records.
    package var pageSize: Int?
    /// Whether a response names the other pages in a `Link` header.
    package var linksPages: Bool
    /// Whether a write with `If-Match` is conditional. `ETag` is always sent.
    package var hasVersions: Bool
    /// The form of the `ETag` of records.
    package var tags: Tags
    /// Whether the response to a change contains the changed record. Otherwise it is 204, or 201 without a body for a
    /// new record.
    package var respondsWithBody: Bool
    /// The nested records that get ids of their own (`accepts_nested_attributes_for`), by path.
    package var nested: [String: [RailsNesting]]
    /// Whether `PUT` replaces the whole record, so that members that were not sent are removed. Otherwise it is a
    /// `PATCH`.
    package var putReplaces: Bool
    /// Whether the response for a deleted record is 410 instead of 404.
    package var remembersDeleted: Bool
    /// The path to which a request without credentials is redirected (303), as by a server with expired sessions. It is
    /// an HTML page with 200. `nil` for 401.
    package var signInPath: String?
    /// The lists that are included in the response for one record but not in that for the collection, by the path of
    /// the collection and the key of the member. They contain records of another collection, found by the member with
    /// the record's identity: `["/projects": ["sheets": .init("/sheets", by: "project_id")]]`.
    package var nestedLists: [String: [String: NestedList]]
    /// Whether a request with a known `Idempotency-Key` gets the earlier response. Rails itself does not support such
    /// keys.
    package var honoursIdempotencyKeys: Bool
    /// The status for a new record whose identity another record has: 422 if the model checks it, 500 if only the
    /// database does.
    package var takenStatus: Int
    /// The member that is a record's lock version, by path, such as `lock_version` in Rails: 0 in a new record,
    /// incremented with each change. A write with another version (in a delete, as a parameter) is rejected.
    package var versionKeys: [String: String]
    /// The digits after the second, for lock versions that are times, by path: 7 as with .NET, 9 as with Go and Java.
    /// Each change is a step of the last digit. Other lock versions are numbers.
    package var versionDigits: [String: Int]
    /// The status of such a rejection.
    package var staleStatus: Int
    /// Whether `PUT` to an address without a record creates it. With `If-None-Match: *`, it can only create.
    package var createsByPut: Bool
    /// The members around records in bodies; `nil` if they are bare, or wrapped in their own keys only.
    package var envelope: RailsEnvelope?
    /// Where batches of requests are sent to; `nil` if there are none.
    package var batches: RailsBatches?
    /// How lists of what has changed are requested; `nil` if there are none.
    package var changes: RailsChanges?
    /// The members that each record of a collection has, by path, as the columns of a table: `null` unless they are
    /// sent.
    package var columns: [String: Set<String>]
    /// The members that refer to records of other collections, by path, as foreign keys of a database do: `["/steps":
    /// ["job_id": .init("/jobs", isRequired: true)]]`. A record that refers to none is rejected with 422.
    package var references: [String: [String: Reference]]
    /// Whether a member of a request is ignored, as an unpermitted parameter is: the response is the same as without
    /// it.
    package var ignores: @Sendable (_ path: String, _ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool
    /// Whether the response to an update contains the record as it was before, as from a replica that lags behind.
    package var respondsFromReplica: Bool
    /// Validates a record that is created or changed. Returns messages by member, for a response with 422.
    package var validate: @Sendable (_ path: String, _ record: JSONValue) -> [String: [String]]
    /// The values that the server adds to each created or changed record: timestamps, defaults.
    package var fill: MemoryRemote.Fill?

    /// - Parameters:
    ///   - paths: The paths of the collections; `nil` if any path is a collection.
    ///   - wrapKeys: The keys that bodies of a collection must be wrapped in: `["/products": "product"]`. Responses are
    ///     not wrapped unless `wrapsResponses` is set.
    ///   - wrapsResponses: Whether responses are wrapped too, if there is a key: one record in the key, a collection in
    ///     the key followed by an s.
    ///   - identityKeys: The member that is the identity, by path. The default is `id`.
    ///   - pageSize: The maximum number of records on a page. A request can ask for fewer with `per_page`. `nil` for
    ///     all records.
    ///   - linksPages: Whether a response names the other pages in a `Link` header.
    ///   - hasVersions: Whether a write with `If-Match` is conditional. `ETag` is always sent.
    ///   - respondsWithBody: Whether the response to a change contains the changed record. Otherwise it is 204, or 201
    ///     without a body for a new record.
    ///   - nested: The nested records that get ids of their own (`accepts_nested_attributes_for`), by path.
    ///   - putReplaces: Whether `PUT` replaces the whole record, so that members that were not sent are removed.
    ///     Otherwise it is a `PATCH`.
    ///   - remembersDeleted: Whether the response for a deleted record is 410 instead of 404.
    ///   - signInPath: The path to which a request without credentials is redirected (303), as by a server with expired
    ///     sessions. It returns an HTML page with 200. If `nil`, the response is 401.
    ///   - nestedLists: The lists that are included in the response for one record but not in that for the collection,
    ///     by the path of the collection and the key of the member. They contain records of another collection, found
    ///     by the member with the record's identity: `["/projects": ["sheets": .init("/sheets", by: "project_id")]]`.
    ///   - honoursIdempotencyKeys: Whether a request with a known `Idempotency-Key` gets the earlier response. Rails
    ///     itself does not support such keys.
    ///   - takenStatus: The status for a new record whose identity another record has: 422 if the model checks it, 500
    ///     if only the database does.
    ///   - versionKeys: The member that is a record's lock version, by path, such as `lock_version` in Rails: 0 in a
    ///     new record, incremented with each change. A write with another version (in a delete, as a parameter) is
    ///     rejected.
    ///   - staleStatus: The status of such a rejection.
    ///   - createsByPut: Whether `PUT` to an address without a record creates it. With `If-None-Match: *`, it can only
    ///     create.
    ///   - tags: The form of the `ETag` of records.
    ///   - envelope: What is around records in bodies; `nil` if they are bare, or wrapped in their own keys only.
    ///   - changes: How lists of what has changed are requested; `nil` if there are none.
    ///   - batches: Where batches of requests are sent to; `nil` if there are none.
    ///   - columns: The members that each record of a collection has, by path, as the columns of a table: `null` unless
    ///     they are sent.
    ///   - references: The members that refer to records of other collections, by path, as foreign keys of a database
    ///     do: `["/steps": ["job_id": .init("/jobs", isRequired: true)]]`. A record that refers to none is rejected
    ///     with 422.
    ///   - respondsFromReplica: Whether the response to an update contains the record as it was before, as from a
    ///     replica that lags behind.
    ///   - hasUppercaseUUIDs: Whether identities that are UUIDs are stored and returned in upper case, whatever a
    ///     request contains, and found in any case, as in SQL Server.
    ///   - versionDigits: The number of digits after the second, for lock versions that are times, by path: 7 as with
    ///     .NET, 9 as with Go and Java. Each change increments the last digit. Other lock versions are numbers.
    ///   - validate: Validates a record that is created or changed. Returns messages by member, for a response with
    ///     422.
    ///   - fill: What the server adds to each created or changed record: timestamps, defaults.
    ///   - ignores: Whether a member of a request is ignored, as an unpermitted parameter is: the response is the same
    ///     as without it.
    public init(
        paths: Set<String>? = nil, wrapKeys: [String: String] = [:], wrapsResponses: Bool = false,
        identityKeys: [String: String] = [:], pageSize: Int? = nil, linksPages: Bool = true, hasVersions: Bool = false,
        respondsWithBody: Bool = true, nested: [String: [RailsNesting]] = [:], putReplaces: Bool = false,
        remembersDeleted: Bool = false, signInPath: String? = nil,
        nestedLists: [String: [String: NestedList]] = [:], honoursIdempotencyKeys: Bool = true,
        takenStatus: Int = 422, versionKeys: [String: String] = [:], staleStatus: Int = 409,
        createsByPut: Bool = false, tags: Tags = .strong, envelope: RailsEnvelope? = nil, changes: RailsChanges? = nil,
        batches: RailsBatches? = nil, columns: [String: Set<String>] = [:],
        references: [String: [String: Reference]] = [:],
        respondsFromReplica: Bool = false, hasUppercaseUUIDs: Bool = false, versionDigits: [String: Int] = [:],
        validate: @escaping @Sendable (_ path: String, _ record: JSONValue) -> [String: [String]] = { _, _ in [:] },
        fill: MemoryRemote.Fill? = nil,
        ignores: @escaping @Sendable (_ path: String, _ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool = {
            _, _, _, _ in false
        }
    ) {
        self.paths = paths
        self.wrapKeys = wrapKeys
        self.wrapsResponses = wrapsResponses
        self.identityKeys = identityKeys
        self.pageSize = pageSize
        self.linksPages = linksPages
        self.hasVersions = hasVersions
        self.tags = tags
        self.respondsWithBody = respondsWithBody
        self.nested = nested
        self.putReplaces = putReplaces
        self.remembersDeleted = remembersDeleted
        self.signInPath = signInPath
        self.nestedLists = nestedLists
        self.honoursIdempotencyKeys = honoursIdempotencyKeys
        self.takenStatus = takenStatus
        self.versionKeys = versionKeys
        self.staleStatus = staleStatus
        self.createsByPut = createsByPut
        self.envelope = envelope
        self.changes = changes
        self.batches = batches
        self.columns = columns
        self.references = references
        self.respondsFromReplica = respondsFromReplica
        self.hasUppercaseUUIDs = hasUppercaseUUIDs
        self.versionDigits = versionDigits
        self.ignores = ignores
        self.validate = validate
        self.fill = fill
    }

    /// The form of an `ETag`.
    public enum Tags: Sendable, Hashable {
        case strong
        /// `W/"7"`, as Rails sends by default.
        case weak
        /// `"7-gzip"` in a response that is compressed, as Apache sends by default: unless the request says
        /// `Accept-Encoding: identity`. In a condition, only `"7"` is current.
        case changedByCompression
    }

    /// An identity as it is stored.
    func stored(_ identity: String) -> String {
        hasUppercaseUUIDs && UUID(uuidString: identity) != nil ? identity.uppercased() : identity
    }

    /// A new record with all columns of its table.
    func row(_ json: JSONValue, in path: String) -> JSONValue {
        guard let columns = columns[path], case .object(let members) = json else { return json }
        return .object(members.merging(JSONObject(columns.map { ($0, .null) })) { sent, _ in sent })
    }

    /// A record of another collection that a record refers to.
    public struct Reference: Sendable, Hashable {
        /// The path of its collection.
        package var path: String
        /// Whether a record cannot exist without it.
        package var isRequired: Bool
        /// Whether it may have been deleted, as on a server that only marks deleted records. A UUID of such a record
        /// may have any spelling, since a client forgets the server's with the record.
        package var mayBeDeleted: Bool

        /// - Parameters:
        ///   - path: The path of its collection.
        ///   - isRequired: Whether a record cannot exist without it.
        ///   - mayBeDeleted: Whether it may have been deleted, as on a server that only marks deleted records. A UUID
        ///     of such a record may have any spelling, since a client forgets the server's with the record.
        public init(_ path: String, isRequired: Bool = false, mayBeDeleted: Bool = false) {
            self.path = path
            self.isRequired = isRequired
            self.mayBeDeleted = mayBeDeleted
        }
    }

    /// The messages, by member, for references of a record that lead nowhere.
    func brokenReferences(of record: JSONValue, in path: String, state: ServerState) -> [String: [String]] {
        (references[path] ?? [:]).filter { member, reference in
            guard let key = record[member]?.plainText else { return reference.isRequired }
            guard let collection = state.collections[reference.path] else { return true }
            return collection[key] == nil && !(reference.mayBeDeleted && Self.wasDeleted(key, from: collection))
        }.mapValues { _ in ["must exist"] }
    }

    private static func wasDeleted(_ key: String, from collection: ServerCollection) -> Bool {
        if collection.tombstones[ExactText(key)] != nil { return true }
        guard let uuid = UUID(uuidString: key) else { return false }
        return collection.tombstones.keys.contains { UUID(uuidString: $0.text) == uuid }
    }

    /// The records of another collection that belong to a record.
    public struct NestedList: Sendable, Hashable {
        /// The path of their collection.
        package var path: String
        /// The member with the identity of the record.
        package var key: String

        /// - Parameters:
        ///   - path: The path of their collection.
        ///   - key: The member with the identity of the record.
        public init(_ path: String, by key: String) {
            self.path = path
            self.key = key
        }
    }
}
