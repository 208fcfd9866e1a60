public import Foundation
import HTTPTypes
public import LockstepTables

/// A REST server with the conventions of Ruby on Rails:
///
/// | | |
/// |---|---|
/// | `GET /articles` | a collection, in pages if the server has them |
/// | `GET /articles/7` | a record |
/// | `POST /articles` | a new record, with an `Idempotency-Key` |
/// | `PATCH /articles/7` | the members that have changed |
/// | `DELETE /articles/7` | delete the record |
///
/// ```swift
/// let remote = RESTRemote(url, client: client)
///     .overriding(Article.self) { $0.reads.paging = .pages(size: ("per_page", 100)) }
/// ```
///
/// ``RESTConventions`` describe servers with other conventions: envelopes, cursors, merge patches, JSON:API, PostgREST.
///
/// Credentials are handled by the client, which adds them and keeps them from other servers. Resources with an `ETag`
/// or a `Last-Modified` are fetched again only if they have changed (rule H1).
public struct RESTRemote: Remote {
    /// The address that paths are appended to. Its parameters are part of each request.
    package let url: URL
    @_spi(Requirements) public let traits: RemoteTraits
    let client: any HTTPClient
    let clock: any SyncClock
    let conventions: RESTConventions
    private var overrides: [String: RESTConventions] = [:]

    /// Creates a remote for a server.
    ///
    /// - Parameters:
    ///   - url: The address that paths are appended to.
    ///   - client: Sends the requests, and adds tokens and header fields (`AuthorizedClient`).
    ///   - conventions: The server's conventions.
    ///   - usesVersions: Whether a record's strong `ETag` is its version, and the server rejects a write with another
    ///     `If-Match` (rule C4).
    ///   - missingKeys: What a missing key in a record means.
    ///   - sendsEmbedded: Whether embedded records are sent inside their owner's body.
    ///   - clock: The clock for `If-Modified-Since` and `Retry-After`.
    public init(
        _ url: URL, client: any HTTPClient = URLSessionClient(), conventions: RESTConventions = RESTConventions(),
        usesVersions: Bool = false, missingKeys: MissingKeys = .keep, sendsEmbedded: Bool = false,
        clock: any SyncClock = SystemClock()
    ) {
        self.url = url
        self.client = client
        self.conventions = conventions
        self.clock = clock
        traits = RemoteTraits(
            missingKeys: missingKeys, sendsEmbedded: sendsEmbedded, hasVersions: usesVersions,
            nestedDeletion: conventions.writes.nestedDeletion,
            sends: conventions.writes.batches.map { .batches(of: $0.count) } ?? .changes,
            sendsUnset: conventions.writes.sendsUnset)
    }

    /// Returns the same remote with other conventions for the records of one entity.
    public func overriding<Object: EntityType>(
        _ model: Object.Type, _ change: (inout RESTConventions) -> Void
    ) -> RESTRemote {
        var remote = self
        change(&remote.overrides[Object.entity.name, default: conventions])
        return remote
    }

    func conventions(of entity: RemoteEntity) -> RESTConventions { overrides[entity.name] ?? conventions }

    @_spi(Requirements) public func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        var problem = conventions(of: entity).errors.problem(in: body)
        for index in problem?.members.indices ?? 0..<0 {
            guard let path = problem?.members[index].path else { continue }
            problem?.members[index].path = form(of: entity).recordPath(path)
        }
        return problem
    }

    /// How bodies contain the records of an entity.
    func form(of entity: RemoteEntity) -> RecordForm {
        let conventions = conventions(of: entity)
        let resource = conventions.envelope.resources.map { _ in
            JSONAPIResource(entity: entity) { entity in
                self.conventions(of: entity).envelope.resources?.type
                    ?? entity.path.split(separator: "/").last.map(String.init) ?? entity.name
            }
        }
        return RecordForm(
            entity: entity, envelope: conventions.envelope, isFiltered: conventions.addresses.records.isFilter,
            resource: resource)
    }

    // MARK: Addresses

    func collectionAddress(of entity: RemoteEntity, method: HTTPRequest.Method) throws -> RemoteAddress {
        let path = conventions(of: entity).addresses.collectionPath?(entity, method) ?? entity.path
        return try RemoteAddress(base: url).appending(path: path)
    }

    func recordAddress(
        of identity: RemoteIdentity?, in entity: RemoteEntity, method: HTTPRequest.Method
    ) throws -> RemoteAddress {
        let segment = try Self.segment(of: identity, in: entity)
        let conventions = conventions(of: entity)
        if let path = conventions.addresses.recordPath?(entity, segment, method) {
            return try RemoteAddress(base: url).appending(path: path)
        }
        let collection = try collectionAddress(of: entity, method: method)
        switch conventions.addresses.records {
        case .path: return collection.appending(path: segment)
        case .filter(let comparison):
            return collection.appending(try Self.filters(for: identity, in: entity, comparison: comparison))
        }
    }

    /// The parameters that only the record with an identity satisfies: `id=eq.7`.
    ///
    /// - Throws: `SyncError.unsupported` if there is not one parameter for each value: without it, the address would be
    ///   that of other records.
    private static func filters(
        for identity: RemoteIdentity?, in entity: RemoteEntity, comparison: String
    ) throws -> [URLQueryItem] {
        let names = entity.identityPaths.compactMap { $0.count == 1 ? $0[0] : nil }
        let values = identity?.texts ?? []
        guard !names.isEmpty, names.count == entity.identityPaths.count, names.count == values.count else {
            throw SyncError(
                .unsupported, entity: entity.name, record: identity?.text,
                reason: "the record cannot be found by a filter, because its identity has no key of its own in JSON",
                remedy: "Give each attribute of the identity a key that is not nested.")
        }
        return zip(names, values).map { URLQueryItem(name: $0, value: comparison + $1) }
    }

    /// The identity as a path segment: `7`, `a%2Fb`, or `DE_7` for several values, as in Rails.
    ///
    /// - Throws: `SyncError.invalidIdentity` if no segment is possible: `.` or `..` would lead to another address, and
    ///   an empty segment to that of the collection.
    static func segment(of identity: RemoteIdentity?, in entity: RemoteEntity) throws -> String {
        let texts = identity?.texts ?? []
        let text = identity.map(entity.text) ?? ""
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }), text != ".", text != ".." else {
            throw SyncError(
                .invalidIdentity, entity: entity.name, record: text,
                reason: "the identity cannot be part of an address",
                remedy: "Give the record an identity that is not empty, “.” or “..”.")
        }
        return RemoteAddress.segment(text)
    }
}
