import Foundation
import LockstepImport
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

@testable import ImportedModels

/// The schemas are those of the fixtures, as other tests check, and their code is compiled in `ImportedModels`.
@MainActor
@Suite("The first pull into a store of an imported schema")
struct FirstPullTests {
    @Test("What PostgREST describes is what it responds with")
    func postgREST() async throws {
        let server = FakePostgREST(PostgRESTRules(keys: ["/racks": ["room", "number"], "/countries": ["code"]]))
        let list = "10000000-0000-4000-8000-000000000001"
        let errand = "10000000-0000-4000-8000-000000000002"
        server.set(["id": .string(list), "title": "Food", "color": "red", "position": 1], in: "/lists")
        server.set(
            [
                "id": .string(errand), "title": "Milk", "done": false, "price": 2, "tags": ["cold"],
                "about": ["size": 2], "created_at": "2026-01-02T03:04:05+00:00", "list_id": .string(list),
            ], in: "/errands")
        server.set(["room": "kitchen", "number": 3], in: "/racks")
        server.set(["code": "NO", "name": "Norway"], in: "/countries")
        let store = try Store(FamilySchema.self, at: .inMemory)
        let remote = RESTRemote(server.url, client: server.client, conventions: .postgREST())
        let sync = Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1))
        for summary in [
            try await sync.pull(List.self), try await sync.pull(Errand.self), try await sync.pull(Rack.self),
            try await sync.pull(Country.self),
        ] {
            #expect(summary.merges.flatMap(\.skipped).isEmpty)
        }
        let stored = try #require(try store.mainContext.fetch(Errand.all()).first)
        #expect(stored.title == "Milk" && stored.price == 2 && stored.tags == ["cold"])
        #expect(stored.list.title == "Food" && stored.list.color == .red)
        #expect(stored.createdAt == Date(timeIntervalSince1970: 1_767_323_045))
        #expect(try store.mainContext.fetch(Rack.all()).map(\.number) == [3])
        #expect(try store.mainContext.fetch(Country.all()).map(\.name) == ["Norway"])
    }

    @Test("Classes of Realm become the models of a server's records")
    func realm() async throws {
        let server = MemoryRemote()
        server.set(
            [
                "_id": "a", "name": "Rex", "coat": "long", "nicknames": [], "commands": ["sit"], "scores": ["sit": 3],
                "anything": 1,
            ], id: "a", in: "/hounds")
        server.set(["number": 7, "motto": "Fetch", "houndIDs": ["a"], "bestID": "a"], id: "7", in: "/kennels")
        let store = try Store(KennelsSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: server, retries: RetrySchedule(attemptsPerPush: 1))
        let summary = try await sync.pull()
        #expect(summary.merges.flatMap(\.skipped).isEmpty)
        let kennel = try #require(try store.mainContext.fetch(Kennel.all()).first)
        #expect(kennel.number == 7 && kennel.best?.name == "Rex")
        #expect(kennel.hounds.map(\.coat) == [.long] && kennel.hounds.first?.commands == ["sit"])
    }
}
