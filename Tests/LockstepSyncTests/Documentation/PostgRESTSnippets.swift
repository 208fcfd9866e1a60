import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing
import Workshop

@Suite("The Swift in PostgREST.md")
struct PostgRESTSnippets {
    @Test("Supabase")
    func supabase() async throws {
        let (session, projectKey) = (SignedInSession(), "anon")
        // snippet
        var conventions = RESTConventions.postgREST()
        conventions.headers[HTTPField.Name("apikey")!] = projectKey  // Supabase; plain PostgREST does not need it

        let remote = RESTRemote(
            URL(string: "https://abcd.supabase.co/rest/v1")!,
            client: AuthorizedClient(URLSessionClient()) { _ in await session.accessToken }, conventions: conventions)
        // end
        #expect(remote.traits.nestedDeletion == nil)
        let server = FakePostgREST(PostgRESTRules(apiKey: "anon"))
        server.require(token: "jwt")
        server.set(["id": 1, "fullName": "Ann"], in: "/workers")
        let client = AuthorizedClient(server.client) { _ in await session.accessToken }
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: client, conventions: conventions))
        #expect(try await sync.pull(Worker.self).inserted == 1)
    }

    private struct SignedInSession: Sendable {
        var accessToken: String { get async { "jwt" } }
    }
}
