import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// PostgREST, against a fake with its habits.
@Suite("PostgREST")
struct PostgRESTTests {
    private let id = UUID(uuidString: "6f1f7e0a-95a7-4a3f-9d0f-0d6f0a7b7c11")!
    private var key: String { id.uuidString.lowercased() }

    private func device(
        _ server: FakePostgREST, _ conventions: RESTConventions = .postgREST(pageSize: 3)
    ) throws -> (Store, Sync) {
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let remote = RESTRemote(server.url, client: server.client, conventions: conventions)
        return (store, Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1)))
    }

    private func sheet(_ title: String, _ members: JSONObject = [:]) -> JSONValue {
        .object(members.merging(["id": .string(key), "title": .string(title)]) { own, _ in own })
    }

    private func make(_ store: Store, _ title: String = "Saw") async throws {
        try await store.perform { [id] context in
            JobSheet(id: id, title: title, context: context)
            try context.save()
        }
    }

    private func edit(_ store: Store, _ title: String) async throws {
        try await store.perform { [id] context in
            try #require(try JobSheet.find(id, in: context)).title = title
            try context.save()
        }
    }

    private func delete(_ store: Store) async throws {
        try await store.perform { [id] context in
            context.delete(try #require(try JobSheet.find(id, in: context)))
            try context.save()
        }
    }

    @Test("M7 All rows are pulled, although the server sends fewer than requested, and changes their order")
    func pages() async throws {
        let server = FakePostgREST(PostgRESTRules(maximumRows: 2))
        for number in 1...5 { server.set(["id": .integer(Int64(number)), "fullName": "Ann"], in: "/workers") }
        server.edit("1", of: "/workers", ["fullName": "Bo"])
        let (store, sync) = try device(server)
        #expect(try await sync.pull(Worker.self).inserted == 5)
        #expect(server.log[0] == "GET /workers?offset=0&limit=3&order=id.asc")
        #expect(server.log[1] == "GET /workers?offset=2&limit=3&order=id.asc")
        server.remove("3", from: "/workers")
        let second = try await sync.pull(Worker.self, options: MergeOptions(records: .all))
        #expect(second.deleted == 1)
        // M7: the missing record was requested before it was deleted.
        #expect(server.log.last == "GET /workers?id=eq.3")
        #expect(try await store.representations(Worker.all()).count == 4)
    }

    @Test("A record is created, changed and deleted by filters of its identity")
    func writes() async throws {
        let columns: Set<String> = ["id", "title", "dueAt", "options", "workerId", "skillIds"]
        let server = FakePostgREST(PostgRESTRules(tables: ["/job-sheets": columns]))
        server.set(["id": "other", "title": "Other"], in: "/job-sheets")
        let (store, sync) = try device(server)
        try await make(store)
        #expect(try await sync.push().created == 1)
        try await edit(store, "Plane")
        #expect(try await sync.push().updated == 1)
        #expect(server.record(key, of: "/job-sheets")?["title"] == "Plane")
        try await delete(store)
        #expect(try await sync.push().deleted == 1)
        #expect(server.records(of: "/job-sheets").count == 1)
        #expect(
            server.log == [
                "POST /job-sheets", "PATCH /job-sheets?id=eq.\(key)", "DELETE /job-sheets?id=eq.\(key)",
            ])
        let prefer = HTTPField.Name("Prefer")!
        #expect(server.requests.allSatisfy { $0.headers[prefer] == "return=representation" })
    }

    @Test("P10.2 A creation whose response was lost is found by its identity, and what others have changed stays")
    func lostCreation() async throws {
        let server = FakePostgREST()
        let (store, sync) = try device(server)
        try await make(store)
        server.respondNext(.responseLost, to: .method(.post))
        await #expect(throws: SyncError.self) { try await sync.push() }
        server.edit(key, of: "/job-sheets", ["title": "Theirs"])
        try await store.outbox.retryAll()
        #expect(try await sync.push().created == 1)
        #expect(server.records(of: "/job-sheets").count == 1)
        #expect(server.record(key, of: "/job-sheets")?["title"] == "Theirs")
        #expect(try await store.representations(JobSheet.all()).map(\.title) == ["Theirs"])
    }

    @Test("An upsert updates the row")
    func upsert() async throws {
        let server = FakePostgREST()
        server.set(sheet("Theirs", ["stars": 5]), in: "/job-sheets")
        let (store, sync) = try device(server, .postgREST(creations: .upsert))
        try await make(store)
        #expect(try await sync.push().created == 1)
        #expect(server.record(key, of: "/job-sheets")?["title"] == "Saw")
        #expect(server.record(key, of: "/job-sheets")?["stars"] == 5)
    }

    @Test("C3 P6 A write that finds no row means that the record was deleted, once the server has confirmed it")
    func gone() async throws {
        let server = FakePostgREST()
        server.set(sheet("Saw"), in: "/job-sheets")
        let (store, sync) = try device(server)
        try await sync.pull(JobSheet.self)
        server.remove(key, from: "/job-sheets")
        server.clearLog()
        try await delete(store)
        #expect(try await sync.push().deleted == 1)
        #expect(server.log == ["DELETE /job-sheets?id=eq.\(key)", "GET /job-sheets?id=eq.\(key)"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P8 A write that the server does not permit is parked, and deletes nothing")
    func notPermitted() async throws {
        let server = FakePostgREST(PostgRESTRules(mayWrite: { _, row in row["title"] != "Locked" }))
        server.set(sheet("Locked"), in: "/job-sheets")
        let (store, sync) = try device(server)
        try await sync.pull(JobSheet.self)
        try await edit(store, "Mine")
        let change = try #require(try await sync.push().parked.first)
        #expect(change.lastError?.contains("does not let this user write it") == true)
        #expect(server.record(key, of: "/job-sheets")?["title"] == "Locked")
        #expect(try await store.representations(JobSheet.all()).map(\.title) == ["Mine"])
    }

    @Test("C4 A version attribute is a filter, so that a write to another version changes nothing")
    func versions() async throws {
        let server = FakePostgREST(PostgRESTRules(versionKeys: ["/skills": "lockVersion"]))
        server.set(["id": 1, "name": "Sawing", "level": 1], in: "/skills")
        let (store, sync) = try device(server)
        try await sync.pull(Skill.self)
        server.edit("1", of: "/skills", ["level": 2])
        server.clearLog()
        try await store.perform { context in
            try #require(try Skill.find(1, in: context)).name = "Mine"
            try context.save()
        }
        #expect(try await sync.push().updated == 1)
        #expect(
            server.log == [
                "PATCH /skills?id=eq.1&lockVersion=eq.1", "GET /skills?id=eq.1",
                "PATCH /skills?id=eq.1&lockVersion=eq.2",
            ])
        #expect(server.record("1", of: "/skills") == ["id": 1, "name": "Mine", "level": 2, "lockVersion": 3])
        server.clearLog()
        try await store.perform { context in
            context.delete(try #require(try Skill.find(1, in: context)))
            try context.save()
        }
        #expect(try await sync.push().deleted == 1)
        #expect(server.log == ["DELETE /skills?id=eq.1&lockVersion=eq.3"])
    }

    @Test("P8 A rejection names the column")
    func rejection() async throws {
        let server = FakePostgREST(PostgRESTRules(unique: ["/job-sheets": ["title"]]))
        server.set(["id": "other", "title": "Saw"], in: "/job-sheets")
        let (store, sync) = try device(server)
        try await make(store)
        let change = try #require(try await sync.push().parked.first)
        #expect(change.parked?.status == 409)
        let text = """
            duplicate key value violates unique constraint "job-sheets_title_key"; Key (title)=(Saw) already exists.
            """
        #expect(sync.problem(of: change)?.attributes == ["title": [text]])
        #expect(sync.problem(of: change)?.code == "23505")
    }

    @Test("P9 Each request has the key of the project and the user's token")
    func credentials() async throws {
        let server = FakePostgREST(PostgRESTRules(apiKey: "anon"))
        server.require(token: "jwt")
        server.set(sheet("Saw"), in: "/job-sheets")
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        var conventions = RESTConventions.postgREST()
        let client = AuthorizedClient(server.client) { _ in "jwt" }
        func pull() async throws -> Int {
            let remote = RESTRemote(server.url, client: client, conventions: conventions)
            return try await Sync(store: store, remote: remote).pull(JobSheet.self).inserted
        }
        await #expect(throws: SyncError.self) { try await pull() }
        conventions.headers[HTTPField.Name("apikey")!] = "anon"
        #expect(try await pull() == 1)
    }

    @Test("C3 A table that does not exist does not mean that its records were deleted")
    func missingTable() async throws {
        let response = ScriptedClient.Response(status: 404, body: #"{"code": "PGRST205", "message": "no such table"}"#)
        let remote = RESTRemote(
            URL(string: "https://shop.test")!, client: ScriptedClient([response, response, response]),
            conventions: .postgREST())
        let request = RemoteRequest(entity: RemoteEntity(Worker.self), target: .record([7]))
        #expect(try await syncError { try await remote.fetch(request) }.code == .notFound)
        #expect(try await remote.send(.update(Worker.self, [7], "{}")).text.hasPrefix("refused 404"))
        #expect(try await remote.send(.delete(Worker.self, [7])).text.hasPrefix("refused 404"))
    }

    @Test("No request can reach other rows: an identity without a filter is an error")
    func unfiltered() async throws {
        let remote = RESTRemote(
            URL(string: "https://shop.test")!, client: ScriptedClient(), conventions: .postgREST())
        for identity: RemoteIdentity in [[], [""], [1, 2]] {
            for change in [
                OutgoingChange.delete(JobSheet.self, identity), .update(JobSheet.self, identity, "{}"),
            ] {
                let error = try await syncError { try await remote.send(change) }
                #expect(error.code == .invalidIdentity || error.code == .unsupported)
            }
        }
    }
}
