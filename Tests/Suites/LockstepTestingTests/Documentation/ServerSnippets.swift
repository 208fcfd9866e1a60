import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import Testing

@Suite("The Swift in Testing.md: servers")
struct ServerSnippets {
    @Test("Servers, in process and over a socket", arguments: [false, true])
    func servers(overSocket: Bool) async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        // snippet
        let server = FakeRails(RailsRules(pageSize: 50))
        if overSocket { try await server.listen() }  // on a free port of 127.0.0.1
        let client: any HTTPClient = overSocket ? URLSessionClient() : server.client

        server.set(["id": 3, "title": "Milk", "created_at": "2026-01-05T10:00:00Z"], in: "/tasks")
        let sync = Sync(store: store, remote: RESTRemote(server.url, client: client))
        _ = try await sync.pull(Task.self)

        #expect(server.log == ["GET /tasks"])
        await server.stop()
        // end
        #expect(try await store.perform { try $0.fetch(Task.all()).map(\.title) } == ["Milk"])
    }

    @Test("A server with an envelope, a cursor, lock versions and changes")
    func companyServer() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        // snippet
        let server = FakeRails(
            RailsRules(
                pageSize: 2, versionKeys: ["/tasks": "lock_version"],
                envelope: RailsEnvelope(key: "data", cursorKey: "next"),  // {"data": […], "next": "c2"}
                changes: RailsChanges(deletions: .marked(by: "deleted_at"))))  // ?updated_since=…
        var conventions = RESTConventions()
        conventions.envelope = .under("data")
        conventions.reads.paging = .cursor(in: "next", parameter: "cursor")
        conventions.reads.changes = .updatedSince(deletions: .marked(by: "deleted_at"))
        let remote = RESTRemote(server.url, client: server.client, conventions: conventions)
        // end
        for id in [1, 2, 3] as [JSONValue] {
            server.set(["id": id, "title": "Milk", "created_at": "2026-01-05T10:00:00Z"], in: "/tasks")
        }
        let sync = Sync(store: store, remote: remote)
        _ = try await sync.pull(Task.self)
        #expect(server.log == ["GET /tasks", "GET /tasks?cursor=c2"])
        #expect(try await store.perform { try $0.count(Task.all()) } == 3)
    }
}
