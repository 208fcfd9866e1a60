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
    /// Whether records that were deleted are answered with 410 instead of 404.
    public var remembersDeleted: Bool
    /// What is wrong with a record that is to be made or changed: texts by member, which are answered with 422.
    public var validate: @Sendable (_ path: String, _ record: JSONValue) -> [String: [String]]
    /// What the server adds to each record that is made or changed: timestamps, defaults.
    public var fill: MemoryRemote.Fill?

    public init(
        paths: Set<String>? = nil, wrapKeys: [String: String] = [:], wrapsAnswers: Bool = false,
        identityKeys: [String: String] = [:], pageSize: Int? = nil, linksPages: Bool = true, hasVersions: Bool = false,
        answersWithBody: Bool = true, remembersDeleted: Bool = false,
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
        self.remembersDeleted = remembersDeleted
        self.validate = validate
        self.fill = fill
    }
}
