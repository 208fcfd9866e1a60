import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// A user's device with the checklist.
@MainActor
private struct Device {
    let store: Store
    let sync: Sync

    init(_ server: FakeRails) throws {
        store = try Store(ChecklistSchema.self, at: .inMemory)
        let remote = RESTRemote(server.url, client: URLSessionClient(), usesVersions: true)
        // The order of the requests is checked.
        sync = Sync(
            store: store, remote: remote, maximumConcurrentPushes: 1, clock: ManualClock(), random: { 0.5 })
    }

    var context: ManagedObjectContext { store.mainContext }

    func task(_ id: Int) throws -> Task { try #require(try Task.find(id, in: context)) }

    /// Everything, as values.
    func everything() async throws -> (lists: [ListRepresentation], tasks: [TaskRepresentation]) {
        let lists = try await store.representations(List.order(\.id))
        return (lists, try await store.representations(Task.order(\.id)))
    }

    /// The tree under a list: `Move (Pack (Books), Paint)`.
    func tree(_ id: Int) throws -> [String] {
        let list = try #require(try List.find(id, in: context))
        return list.tasks.filter { $0.parentTask == nil }.map(text)
    }

    private func text(_ task: Task) -> String {
        task.subTasks.isEmpty ? task.title : "\(task.title) (\(task.subTasks.map(text).joined(separator: ", ")))"
    }
}

@Suite("Swifty Core Data: the checklist", .unhurried)
@MainActor
struct ChecklistStory {
    /// A list with a tree of tasks: Move (Pack (Books)), Paint.
    private func makeList(_ context: ManagedObjectContext) throws {
        let list = List(id: 1, name: "House", context: context)
        let move = Task(id: 10, title: "Move", list: list, context: context)
        let pack = Task(id: 11, title: "Pack", list: list, parentTask: move, context: context)
        Task(id: 12, title: "Books", list: list, parentTask: pack, context: context)
        Task(id: 20, title: "Paint", status: .closed, list: list, context: context)
        try context.save()
    }

    @Test("A list with a tree of tasks, made on one device, is the same on another")
    func wholeTree() async throws {
        try await withServer(FakeRails(RailsRules(hasVersions: true))) { server in
            let (first, second) = (try Device(server), try Device(server))
            try makeList(first.context)
            try await first.sync.push()
            #expect(
                server.newChanges() == [
                    SentChange("POST /lists", ["id": 1, "name": "House"]),
                    post(10, "Move", parent: nil), post(11, "Pack", parent: 10), post(12, "Books", parent: 11),
                    post(20, "Paint", 1, parent: nil),
                ], "lists before their tasks, tasks before their parts")

            try await second.sync.pull()
            #expect(try second.tree(1) == ["Move (Pack (Books))", "Paint"])
            #expect(try await second.everything() == first.everything())
            #expect(try second.task(20).status == .closed)
            #expect(try await second.store.outbox.count() == 0)
        }
    }

    private func post(_ id: Int64, _ title: String, _ status: Int64 = 0, parent: Int64?) -> SentChange {
        var task: JSONValue = [
            "id": .integer(id), "title": .string(title), "status": .integer(status), "checklistID": 1,
        ]
        task["parentTaskID"] = parent.map(JSONValue.integer)
        return SentChange("POST /tasks", task)
    }

    @Test("A status of a later version is kept, sent back unchanged, and reaches the other device")
    func unknownStatus() async throws {
        try await withServer(FakeRails(RailsRules(hasVersions: true))) { server in
            let (first, second) = (try Device(server), try Device(server))
            try makeList(first.context)
            try await first.sync.push()
            server.edit("11", of: "/tasks", ["status": 7])
            server.clearLog()
            try await first.sync.pull()
            let pack = try first.task(11)
            #expect(pack.status == .unknown(7) && pack.isSynced)

            pack.title = "Pack all"
            try await first.context.save()
            try await first.sync.push()
            #expect(server.newChanges().last == SentChange("PATCH /tasks/11", ["title": "Pack all"]))
            try await first.sync.put(pack)
            #expect(server.record("11", of: "/tasks")?["status"] == 7)
            try await second.sync.pull()
            #expect(try second.task(11).status == .unknown(7))
            #expect(try await second.everything() == first.everything())

            try second.task(11).status = .invalidated
            try await second.context.save()
            server.clearLog()
            try await second.sync.push()
            #expect(server.newChanges() == [SentChange("PATCH /tasks/11", ["status": 2])])
        }
    }

    @Test(
        "A part moves to another task on one device while the other closes it; then its task is deleted with its parts")
    func moving() async throws {
        try await withServer(FakeRails(RailsRules(hasVersions: true))) { server in
            let (first, second) = (try Device(server), try Device(server))
            try makeList(first.context)
            try await first.sync.push()
            try await second.sync.pull()
            server.clearLog()

            try first.task(12).parentTask = try first.task(20)
            try await first.context.save()
            try second.task(12).status = .closed
            try await second.context.save()
            try await first.sync.push()
            try await second.sync.push()
            #expect(
                server.newChanges().map(\.body).filter { $0 != nil }.suffix(1) == [["status": 1]],
                "the second one sends what it has changed, and nothing else")
            try await first.sync.pull()
            #expect(try first.tree(1) == ["Move (Pack)", "Paint (Books)"])
            #expect(try second.tree(1) == first.tree(1))
            #expect(try await second.everything() == first.everything())
            server.clearLog()

            first.context.delete(try first.task(10))
            try await first.context.save()
            try await first.sync.push()
            #expect(server.newLog() == ["DELETE /tasks/11", "DELETE /tasks/10"], "parts before their task")
            try await second.sync.pull(options: MergeOptions(records: .all))
            #expect(try second.tree(1) == ["Paint (Books)"])
            #expect(try await second.everything() == first.everything())
        }
    }
}
