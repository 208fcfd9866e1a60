import Foundation
import LockstepRemotes

/// A device that reads changes, as a sync does, and stores the records of one entity.
actor DeviceReader {
    struct Seen: Sendable {
        var version: Int64
        var scope: String
        var json: JSONValue
    }

    private let remote: any Remote
    private let entity: RemoteEntity
    /// How many pages a feed or a collection can have.
    private let pageLimit: Int
    /// The start of the next page of the feed, or of the next list of changes.
    private var position: String?
    /// The records by ``SampleRecord/key``.
    private(set) var records: [String: Seen] = [:]
    /// The number of received records of all entities.
    private(set) var receivedCount = 0
    /// The cursors since the last end of the feed, or since it has expired.
    private var visited: Set<String> = []
    /// How often the feed has expired since its last end.
    private var expiryCount = 0

    init(_ remote: any Remote, entity: RemoteEntity, pageLimit: Int = 10_000) {
        self.remote = remote
        self.entity = entity
        self.pageLimit = pageLimit
    }

    private static let expiryLimit = 10

    /// Reads all pages.
    func pull() async throws {
        guard remote.traits.hasFeed else { return try await readCollection() }
        while try await readPage() {}
    }

    func has(_ record: SampleRecord) -> Bool { json(of: record) != nil }

    func json(of record: SampleRecord) -> JSONValue? { record.key.flatMap { records[$0]?.json } }

    // MARK: A feed

    /// Reads a page of the feed.
    ///
    /// - Returns: Whether there are more pages.
    /// - Throws: ``ConformanceFailure`` if the feed does not end.
    func readPage() async throws -> Bool {
        let page = try await remote.feed(after: position)
        if page.isExpired {
            guard position != nil else { throw endless("it has expired without a cursor") }
            expiryCount += 1
            guard expiryCount <= Self.expiryLimit else {
                throw endless("it has expired \(expiryCount) times")
            }
            (position, records, visited) = (nil, [:], [])
            return true
        }
        if page.hasMore {
            if let position { visited.insert(position) }
            try checkPage(isNew: visited.insert(page.cursor).inserted, count: visited.count)
        } else {
            (visited, expiryCount) = ([], 0)
        }
        position = page.cursor
        for scope in page.lostScopes { records = records.filter { $0.value.scope != scope } }
        for changes in page.changes { try read(changes) }
        return page.hasMore
    }

    private func read(_ changes: FeedPage.Changes) throws {
        guard case .array(let list) = try JSONValue(json: changes.records) else { return }
        receivedCount += list.count
        guard changes.entity == entity.name else { return }
        for (json, version) in zip(list, changes.versions) {
            guard let key = key(of: json), records[key].map({ $0.version < version }) ?? true else { continue }
            records[key] = Seen(version: version, scope: changes.scope, json: json)
        }
        for deletion in changes.deletions {
            let key = deletion.identity.values.map(\.keyText.text).joined(separator: "_")
            guard let known = records[key], known.scope == changes.scope, known.version < deletion.version else {
                continue
            }
            records[key] = deletion.movedTo.map { Seen(version: deletion.version, scope: $0, json: known.json) }
        }
    }

    /// - Throws: ``ConformanceFailure`` if the next page was read before, or is one too many.
    private func checkPage(isNew: Bool, count: Int) throws {
        guard isNew else { throw endless("a page is followed by an earlier one") }
        guard count <= pageLimit else { throw endless("it has more than \(pageLimit) pages") }
    }

    private func endless(_ reason: String) -> ConformanceFailure {
        remote.traits.hasFeed
            ? ConformanceFailure(
                "the feed does not end: \(reason)",
                remedy: "Compare the server with the page “Make a server of PostgreSQL”.")
            : ConformanceFailure(
                "the list does not end: \(reason)", remedy: "Send the last page without a link to another one.")
    }

    // MARK: A collection

    /// Reads the changes of the collection, or the whole collection if the server does not list changes.
    private func readCollection() async throws {
        var request = RemoteRequest(entity: entity, since: remote.changes(of: entity) == nil ? nil : position)
        var isWhole = request.since == nil
        var (found, deleted): ([String: JSONValue], [RemoteIdentity]) = ([:], [])
        var visited: Set<String> = []
        while true {
            switch try await remote.fetch(request) {
            case .records(let page):
                for json in try await list(in: page) {
                    if let key = key(of: json) { found[key] = json }
                }
                deleted += page.deleted
                request.watermark = page.watermark ?? request.watermark
                request.page = page.next
            case .expired where !isWhole:
                request = RemoteRequest(entity: entity)
                (isWhole, found, deleted, visited) = (true, [:], [], [])
                continue
            case .expired, .absent, .gone, .notModified: request.page = nil
            }
            guard let page = request.page else { break }
            try checkPage(isNew: visited.insert(page).inserted, count: visited.count)
        }
        if isWhole { records = [:] }
        for identity in deleted { records[identity.values.map(\.keyText.text).joined(separator: "_")] = nil }
        for (key, json) in found { records[key] = Seen(version: 0, scope: "", json: json) }
        position = request.watermark ?? position
        receivedCount += found.count
    }

    private func list(in page: FetchResponse.Records) async throws -> [JSONValue] {
        let body = try await page.body.collected(upTo: Self.pageLimitBytes)
        var json = try JSONValue(json: body)
        if case .wrapped(let key) = page.payload { json = json[key] ?? .null }
        if case .array(let list) = json { return list }
        return json == .null ? [] : [json]
    }

    private static let pageLimitBytes = 256 << 20

    private func key(of record: JSONValue) -> String? {
        entity.identity(in: record)?.values.map(\.keyText.text).joined(separator: "_")
    }
}
