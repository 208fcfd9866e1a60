import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import RuntimeTestSupport
import TestSupport
import Testing

/// A device with the demo.
@MainActor
private struct Demo {
    let store: Store
    let sync: Sync
    let clock = ManualClock()

    init(_ remote: any Remote) throws {
        store = try Store(OfflineTasksSchema.self, at: .inMemory)
        // The order of the requests is checked.
        sync = Sync(store: store, remote: remote, maximumConcurrentPushes: 1, clock: clock, random: { 0.5 })
    }

    var context: ManagedObjectContext { store.mainContext }

    func task(_ title: String) throws -> Task {
        try #require(try context.fetch(Task.all()).first { $0.title == title })
    }

    /// Pushes, however long the retries wait.
    @discardableResult
    func push() async throws -> PushSummary { try await clock.whilePassing { [sync] in try await sync.push() } }

    func titles() async throws -> [String] { try await store.representations(Task.order(\.title)).map(\.title) }
}

@Suite("OfflineCRUDDemo: tasks created, changed and deleted offline", .unhurried)
@MainActor
struct OfflineTasksStory {
    private let milk: JSONValue = [
        "id": 1, "title": "Milk", "completed": false, "created_at": "2026-01-05T10:00:00.000Z",
    ]
    private let bread: JSONValue = [
        "id": 2, "title": "Bread", "completed": false, "created_at": "2026-01-05T10:00:00.000Z",
    ]

    @Test("Sync: local tasks are kept, listed ones are inserted, and unlisted ones are deleted")
    func download() async throws {
        try await withServer(FakeRails()) { server in
            server.set([milk, bread], in: "/tasks")
            let demo = try Demo(RESTRemote(server.url, client: URLSessionClient()))
            try await demo.sync.pull(Task.self, options: MergeOptions(records: .all))
            let local = Task(title: "Local", context: demo.context)
            try await demo.context.save()
            try demo.task("Bread").title = "Bread, edited here"
            try await demo.context.save()
            #expect(local.remoteID == nil && !local.isSynced)
            #expect(try demo.task("Milk").isSynced)

            server.remove("1", from: "/tasks")
            server.set(["id": 3, "title": "Eggs", "created_at": "2026-01-05T10:00:00Z"], in: "/tasks")
            server.clearLog()
            let summary = try await demo.sync.pull(Task.self, options: MergeOptions(records: .all))
            #expect(summary.inserted == 1 && summary.deleted == 1)
            #expect(server.newLog() == ["GET /tasks"])
            #expect(try await demo.titles() == ["Bread, edited here", "Eggs", "Local"])
            #expect(try await Set(demo.store.outbox.pending().map(\.kind)) == [.create, .update])
        }
    }

    @Test("Insert, update, delete: each is queued while the server is unreachable, and sent by the next sync")
    func upload() async throws {
        try await withServer(FakeRails()) { server in
            server.set([milk, bread], in: "/tasks")
            let network = FaultyNetwork(seed: 1, faults: .none, clock: ManualClock())
            let client = network.client(URLSessionClient())
            let demo = try Demo(RESTRemote(server.url, client: client))
            try await demo.sync.pull()
            server.clearLog()
            network.goOffline()

            let eggs = Task(
                title: "Eggs", createdAt: Date(timeIntervalSince1970: 1_767_607_200), context: demo.context)
            let (milk, bread) = (try demo.task("Milk"), try demo.task("Bread"))
            milk.completed = true
            demo.context.delete(bread)
            try await demo.context.save()
            #expect(bread.isDeletedLocally)
            #expect(!eggs.isSynced && !milk.isSynced && eggs.remoteID == nil)
            await #expect(throws: SyncError.self) { try await demo.push() }
            #expect(server.log.isEmpty && server.changes.isEmpty)
            #expect(try await demo.titles() == ["Eggs", "Milk"], "Bread is gone at once, for whoever looks")

            network.goOnline()
            try await demo.push()
            let sent = server.newChanges()
            #expect(sent.map(\.request) == ["DELETE /tasks/2", "PATCH /tasks/1", "POST /tasks"])
            #expect(sent[1].body == ["completed": true])
            #expect(
                sent[2].body == ["title": "Eggs", "completed": false, "created_at": "2026-01-05T10:00:00Z"])
            #expect(eggs.isSynced && milk.isSynced)
            #expect(eggs.remoteID == 3, "the server has given it")
            #expect(try await demo.sync.pull(Task.self, options: MergeOptions(records: .all)).unchanged == 2)
            #expect(server.records(of: "/tasks").compactMap { $0["title"] } == ["Milk", "Eggs"])
        }
    }

    @Test("A task that the server knows by its local id stays one task, however often it is downloaded")
    func uniqueID() async throws {
        try await withServer(FakeRails()) { server in
            let (first, second) = (
                try Demo(RESTRemote(server.url, client: URLSessionClient())),
                try Demo(RESTRemote(server.url, client: URLSessionClient()))
            )
            let task = Task(title: "Milk", context: first.context)
            try await first.context.save()
            let localID = task.localID
            // The server creates it, and the response is lost: the retry creates no second one.
            server.respondNext(.responseLost, to: .method(.post))
            #expect(try await first.push().created == 1)
            #expect(server.newChanges().map(\.request) == ["POST /tasks", "POST /tasks"])
            try await first.sync.pull()
            try await second.sync.pull()
            #expect(server.records(of: "/tasks").count == 1)
            #expect(task.localID == localID && task.remoteID == 1)
            #expect(try await second.titles() == ["Milk"])
        }
    }

    @Test("remote.json is a server too")
    func remoteJSON() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("remote.json")
            try JSONValue.object(["tasks": [milk, bread]]).json().write(to: file)
            let demo = try Demo(FileRemote(file))
            try await demo.sync.pull()
            #expect(try await demo.titles() == ["Bread", "Milk"])

            let eggs = Task(title: "Eggs", context: demo.context)
            try demo.task("Milk").completed = true
            demo.context.delete(try demo.task("Bread"))
            try await demo.context.save()
            #expect(try await demo.sync.push().sent == 3)
            #expect(eggs.isSynced)
            let identity = Int64(try #require(eggs.remoteID))
            let tasks = try #require(try JSONValue(json: Data(contentsOf: file))["tasks"])
            #expect(tasks[0]?["completed"] == true && tasks[0]?["id"] == 1)
            #expect(tasks[1]?["title"] == "Eggs" && tasks[1]?["id"] == .integer(identity) && tasks[2] == nil)

            let other = try Demo(FileRemote(file))
            try await other.sync.pull()
            #expect(try await other.titles() == demo.titles())
        }
    }
}
