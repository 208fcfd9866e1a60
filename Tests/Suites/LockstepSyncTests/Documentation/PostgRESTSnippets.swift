import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

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

    @Test("A feed")
    func feed() throws {
        let (session, projectKey) = (SignedInSession(), "anon")
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        // snippet
        let remote = SupabaseRemote(URL(string: "https://abcd.supabase.co")!, key: projectKey) { _ in
            await session.accessToken
        }
        let sync = Sync(store: store, remote: remote)
        // end
        #expect(sync.remote.traits.hasFeed)
    }

    @Test("Only what has changed")
    func changes() async throws {
        var conventions = RESTConventions.postgREST()
        // snippet
        conventions.reads.changes = .updatedSince(
            "updated_at", comparison: "gte.", attribute: "updated_at", deletions: .marked(by: "deleted_at"))
        // end
        let server = FakePostgREST()
        func set(_ id: Int64, _ name: String, at time: String, deletedAt: JSONValue = .null) {
            server.set(
                [
                    "id": .integer(id), "fullName": .string(name), "updated_at": .string("2023-11-14T" + time),
                    "deleted_at": deletedAt,
                ], in: "/workers")
        }
        for id in 1...3 { set(Int64(id), "Ann", at: "22:13:20.5+00:00") }
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: RESTRemote(server.url, client: server.client, conventions: conventions))
        let options = MergeOptions(records: .all)
        #expect(try await sync.pull(Worker.self, options: options).inserted == 3)
        set(2, "Bea", at: "23:13:20.123456+00:00")
        set(3, "Ann", at: "23:13:20+00:00", deletedAt: "2023-11-14T23:13:20+00:00")
        let summary = try await sync.pull(Worker.self, options: options)
        #expect(summary.updated == 1 && summary.deleted == 1)
        #expect(server.requests.last?.parameter("updated_at") == "gte.2023-11-14T22:08:20.500Z")
        #expect(try await store.representations(Worker.order(\.id)).map(\.fullName) == ["Ann", "Bea"])
    }

    private struct SignedInSession: Sendable {
        var accessToken: String { get async { "jwt" } }
    }
}
