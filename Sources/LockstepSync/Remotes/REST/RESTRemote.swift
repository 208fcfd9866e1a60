public import Foundation
import HTTPTypes
public import LockstepStore

/// A REST server, as Ruby on Rails makes one:
///
/// | | |
/// |---|---|
/// | `GET /articles` | a collection, in pages where the server has them |
/// | `GET /articles/7` | a record |
/// | `POST /articles` | a new record, with an `Idempotency-Key` |
/// | `PATCH /articles/7` | the members that have changed |
/// | `DELETE /articles/7` | gone |
///
/// ```swift
/// let remote = RESTRemote(url, client: client)
///     .overriding(Article.self) { $0.paging = .pages(size: ("per_page", 100)) }
/// ```
///
/// Credentials are the client's: it adds them, and keeps them from other servers. Answers that have an `ETag` or a
/// `Last-Modified` are asked for again only if they have changed (rule H1).
public struct RESTRemote: Remote {
    /// The address that paths are appended to. Its parameters are part of each request.
    public let url: URL
    public let traits: RemoteTraits
    let client: any HTTPClient
    let clock: any SyncClock
    private let conventions: RESTConventions
    private var overrides: [String: RESTConventions] = [:]

    /// A server.
    ///
    /// - Parameters:
    ///   - url: The address that paths are appended to.
    ///   - client: What sends requests; tokens and header fields are its concern (`AuthorizedClient`).
    ///   - conventions: How the server is spoken to.
    ///   - usesVersions: Whether a record's `ETag` is its version, and the server refuses a write whose `If-Match` is
    ///     another (rule C4).
    ///   - missingKeys: What it means where a record lacks a key.
    ///   - sendsEmbedded: Whether embedded records travel inside of their owner's body.
    ///   - clock: The time, which is what `If-Modified-Since` and `Retry-After` are made and read with.
    public init(
        _ url: URL, client: any HTTPClient = URLSessionClient(), conventions: RESTConventions = RESTConventions(),
        usesVersions: Bool = false, missingKeys: MergeOptions.MissingKeys = .keep, sendsEmbedded: Bool = false,
        clock: any SyncClock = SystemClock()
    ) {
        self.url = url
        self.client = client
        self.conventions = conventions
        self.clock = clock
        traits = RemoteTraits(
            missingKeys: missingKeys, sendsEmbedded: sendsEmbedded, hasVersions: usesVersions,
            nestedDeletion: conventions.nestedDeletion)
    }

    /// The same server, spoken to otherwise where it is about the records of one entity.
    public func overriding<Object: Model>(
        _ model: Object.Type, _ change: (inout RESTConventions) -> Void
    ) -> RESTRemote {
        var remote = self
        change(&remote.overrides[Object.entity.name, default: conventions])
        return remote
    }

    func conventions(of entity: RemoteEntity) -> RESTConventions { overrides[entity.name] ?? conventions }

    // MARK: Addresses

    func collectionAddress(of entity: RemoteEntity, _ method: HTTPRequest.Method) throws -> RemoteAddress {
        let path = conventions(of: entity).collectionPath?(entity, method) ?? entity.path
        return try RemoteAddress(base: url).appending(path: path)
    }

    func recordAddress(
        of identity: RemoteIdentity?, in entity: RemoteEntity, _ method: HTTPRequest.Method
    ) throws -> RemoteAddress {
        let segment = try Self.segment(of: identity, in: entity)
        if let path = conventions(of: entity).recordPath?(entity, segment, method) {
            return try RemoteAddress(base: url).appending(path: path)
        }
        return try collectionAddress(of: entity, method).appending(path: segment)
    }

    /// The identity as a segment of a path: `7`, `a%2Fb`, or `DE_7` for several values, as Rails has it.
    ///
    /// - Throws: `SyncError.invalidIdentity` where no segment is this one: an address with `.` or `..` is another one,
    ///   and one with nothing there is the collection's.
    private static func segment(of identity: RemoteIdentity?, in entity: RemoteEntity) throws -> String {
        let texts = identity?.texts ?? []
        let text = texts.joined(separator: "_")
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }), text != ".", text != ".." else {
            throw SyncError(
                .invalidIdentity, entity: entity.name, record: text,
                reason: "the identity cannot be a part of an address",
                remedy: "Give the record an identity that is not empty, and neither “.” nor “..”.")
        }
        return RemoteAddress.segment(text)
    }
}
