public import Foundation
import HTTPTypes
import LockstepTables

/// A project of Supabase, with the functions of a feed: see ``PostgRESTRemote``.
///
/// ```swift
/// let url = URL(string: "https://abcd.supabase.co")!
/// let remote = SupabaseRemote(url, key: projectKey) { _ in try await supabase.auth.session.accessToken }
/// let sync = Sync(store: store, remote: remote)
/// ```
public struct SupabaseRemote: Remote {
    private let database: PostgRESTRemote

    /// Creates a remote for a project.
    ///
    /// - Parameters:
    ///   - url: The address of the project.
    ///   - key: The public key of the project, not the service key.
    ///   - client: Sends the requests.
    ///   - token: Returns the token of the signed-in user, to whom the policies of the database apply.
    public init(
        _ url: URL, key: String, client: any HTTPClient = URLSessionClient(), token: @escaping TokenProvider
    ) {
        database = PostgRESTRemote(
            url.appendingPathComponent("rest/v1"), client: AuthorizedClient(client, token: token),
            headers: [HTTPField.Name("apikey")!: key])
    }

    @_spi(Requirements) public var traits: RemoteTraits { database.traits }

    @_spi(Requirements) public func feed(after cursor: String?) async throws -> FeedPage {
        try await database.feed(after: cursor)
    }

    @_spi(Requirements) public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try await database.fetch(request)
    }

    @_spi(Requirements) public func send(_ change: OutgoingChange) async throws -> SendResponse {
        try await database.send(change)
    }

    @_spi(Requirements) public func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        try await database.send(batch: changes)
    }

    @_spi(Requirements) public func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        database.problem(in: body, status: status, of: entity)
    }
}
