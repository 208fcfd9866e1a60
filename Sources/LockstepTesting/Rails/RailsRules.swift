import Foundation
public import LockstepStore

/// How a Rails-style server differs from others.
public struct RailsRules: Sendable {
    /// The paths of the collections; `nil` where any path is one.
    public var paths: Set<String>?
    /// The keys that bodies of a collection must be wrapped in: `["/products": "product"]`. Answers are bare all the
    /// same, unless ``wrapsAnswers`` says otherwise.
    public var wrapKeys: [String: String]
    /// Whether answers are wrapped too, where there is a key: one record in the key, a collection in its plural with
    /// an s.
    public var wrapsAnswers: Bool
    /// The member that is the identity, by path; elsewhere it is `id`.
    public var identityKeys: [String: String]
    /// How many records a page has, unless the request asks for less with `per_page`; `nil` for all of them.
    public var pageSize: Int?
    /// Whether an answer names the other pages in a `Link` header.
    public var linksPages: Bool
    /// Whether a write with `If-Match` is conditional. `ETag` is sent in any case.
    public var hasVersions: Bool
    /// Whether the answer to a change has the record as it is now; else it is 204, and for a new one 201 without a
    /// body.
    public var answersWithBody: Bool
    /// What records have inside of them that the server gives ids of its own (`accepts_nested_attributes_for`), by path.
    public var nested: [String: [RailsNesting]]
    /// Whether `PUT` replaces the whole record, so that members which were not sent are gone; else it is a `PATCH`.
    public var putReplaces: Bool
    /// Whether records that were deleted are answered with 410 instead of 404.
    public var remembersDeleted: Bool
    /// Where a request without credentials is sent (303), as by a server whose sessions end: there is a page for people
    /// (200, HTML). `nil` for 401.
    public var signInPath: String?
    /// The lists that one record's answer has and that of its collection has not, by the collection's path and the
    /// member's key: index flat, show nested. Other collections' records are in them, by the member that has the record's
    /// identity: `["/projects": ["sheets": .init("/sheets", by: "project_id")]]`.
    public var nestedLists: [String: [String: NestedList]]
    /// Whether a request with an `Idempotency-Key` that was seen before is answered as it was then. Rails by itself does
    /// not know them.
    public var honoursIdempotencyKeys: Bool
    /// What a new record is refused with whose identity another one has: 422 where the model looks, 500 where only the
    /// database does.
    public var takenStatus: Int
    /// The member that is a record's lock version, by path, as Rails' `lock_version`: 0 in a new record, one more after
    /// each change. A write that tells another one, a delete as a parameter, is refused.
    public var versionKeys: [String: String]
    /// What such a write is refused with.
    public var staleStatus: Int
    /// Whether `PUT` to an address where nothing is makes the record; with `If-None-Match: *` it does only that.
    public var createsByPut: Bool
    /// What is wrong with a record that is to be made or changed: texts by member, which are answered with 422.
    public var validate: @Sendable (_ path: String, _ record: JSONValue) -> [String: [String]]
    /// What the server adds to each record that is made or changed: timestamps, defaults.
    public var fill: MemoryRemote.Fill?

    public init(
        paths: Set<String>? = nil, wrapKeys: [String: String] = [:], wrapsAnswers: Bool = false,
        identityKeys: [String: String] = [:], pageSize: Int? = nil, linksPages: Bool = true, hasVersions: Bool = false,
        answersWithBody: Bool = true, nested: [String: [RailsNesting]] = [:], putReplaces: Bool = false,
        remembersDeleted: Bool = false, signInPath: String? = nil,
        nestedLists: [String: [String: NestedList]] = [:], honoursIdempotencyKeys: Bool = true,
        takenStatus: Int = 422, versionKeys: [String: String] = [:], staleStatus: Int = 409,
        createsByPut: Bool = false,
        validate: @escaping @Sendable (_ path: String, _ record: JSONValue) -> [String: [String]] = { _, _ in [:] },
        fill: MemoryRemote.Fill? = nil
    ) {
        self.paths = paths
        self.wrapKeys = wrapKeys
        self.wrapsAnswers = wrapsAnswers
        self.identityKeys = identityKeys
        self.pageSize = pageSize
        self.linksPages = linksPages
        self.hasVersions = hasVersions
        self.answersWithBody = answersWithBody
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
        self.validate = validate
        self.fill = fill
    }

    /// The records of another collection that belong to a record.
    public struct NestedList: Sendable, Hashable {
        /// The path of their collection.
        public var path: String
        /// Their member that has the record's identity.
        public var key: String

        public init(_ path: String, by key: String) {
            self.path = path
            self.key = key
        }
    }
}
