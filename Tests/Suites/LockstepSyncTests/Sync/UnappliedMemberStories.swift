import Foundation
import LinkSamples
@testable import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import ServerSamples
import Testing

/// Servers that accept a record and ignore values of the records that are embedded in it.
@Suite("Changes of embedded records that were accepted and not applied")
struct UnappliedMemberStories {
    private let isMended = Locked(false)

    /// One whose server has an order with a bolt and a nut, and from then on permits no titles of lines.
    private func stage(_ policies: ConflictPolicies = .localChangesWin) async throws -> EmbeddedIdentityStage {
        let lines = RailsNesting(
            "lines",
            ignores: { [isMended] member, _, isNew in member == "title" && !isNew && !isMended.withLock { $0 } })
        let stage = try EmbeddedIdentityStage([lines], policies: policies)
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        stage.server.clearLog()
        return stage
    }

    private func titles(_ stage: EmbeddedIdentityStage) async throws -> [String] {
        try await stage.store.perform { try $0.fetch(Line.all()).map(\.title).sorted() }
    }

    @Test(
        "P21.9 R10 A value of an embedded record that was not applied stays, and its owner is parked with its name",
        arguments: [ConflictPolicies.localChangesWin, .serverWins])
    func edit(policy: ConflictPolicies) async throws {
        let stage = try await stage(policy)
        try await stage.editLine("nut") { $0.title = "washer" }
        let summary = try await stage.sync.push()
        #expect(summary.updated == 0)
        #expect(summary.parked.map(\.entity) == ["Order"])
        #expect(summary.parked.first?.lastError?.contains("did not apply it: Line.title") == true)
        #expect(try await titles(stage) == ["bolt", "washer"])
        // It is not sent again by itself, and a pull does not take it back.
        try await stage.sync.pull()
        #expect(try await stage.sync.push().sent == 0)
        #expect(try await titles(stage) == ["bolt", "washer"])
        isMended.withLock { $0 = true }
        try await stage.store.outbox.retryAll()
        #expect(try await stage.sync.push().updated == 1)
        #expect(stage.there == ["1 bolt", "2 washer"])
        #expect(try await stage.pending() == [])
        #expect(try stage.store.rows("SELECT * FROM lockstep_outbox") == [])
    }

    @Test("P21.10 R10 What was applied of an embedded record and of its owner is confirmed")
    func partly() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { ($0.title, $0.count) = ("washer", 5) }
        try await stage.editOrder { $0.name = "second" }
        let summary = try await stage.sync.push()
        #expect(summary.updated == 1 && summary.parked.count == 1)
        #expect(stage.server.record("1", of: "/orders")?["name"] == "second")
        try await stage.store.outbox.retryAll()
        try await stage.sync.push()
        #expect(try stage.sentLines == [["id": 2, "title": "washer"]])
    }

    @Test("P21.12 R10 The next pull that has the value settles the change of the embedded record and of its owner")
    func replica() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        #expect(try await stage.sync.push().parked.count == 1)
        stage.server.edit(
            "1", of: "/orders",
            ["lines": [["id": 1, "title": "bolt", "count": 1], ["id": 2, "title": "washer", "count": 1]]])
        try await stage.sync.pull()
        #expect(try await stage.pending() == [])
        #expect(try stage.store.rows("SELECT * FROM lockstep_outbox") == [])
        #expect(try await titles(stage) == ["bolt", "washer"])
    }

    @Test("P8 P21 R10.17 Discarding the parked change of the owner takes back the value of the embedded record")
    func discarded() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        let parked = try #require(try await stage.sync.push().parked.first)
        try await stage.store.outbox.discard(parked)
        #expect(try await titles(stage) == ["bolt", "nut"])
        #expect(try await stage.pending() == [])
        #expect(try stage.store.rows("SELECT * FROM lockstep_outbox") == [])
    }

    @Test("P4 P21.11 R10 An edit that is made before the response comes is sent, with the value that was not applied")
    func editedMeanwhile() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        stage.client.meanwhile { try await stage.editLine("washer") { $0.count = 5 } }
        let summary = try await stage.sync.push()
        #expect(try stage.sentLines == [["id": 2, "title": "washer", "count": 5]])
        #expect(summary.parked.first?.lastError?.contains("Line.title") == true)
        #expect(try await titles(stage) == ["bolt", "washer"])
    }

    @Test(
        "P21.5 An embedded record that the device identifies, and whose text comes back empty, keeps it",
        arguments: [false, true])
    func created(isWithOwner: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        let store = try Store(ForestSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, random: { 0.5 })
        if !isWithOwner { try await store.merge(Data(#"[{"id": 1, "title": "oak"}]"#.utf8), into: Node.self) }
        try await store.perform { context in
            let oak = try Node.find(1, in: context) ?? Node(id: 1, title: "oak", context: context)
            Node(id: 2, title: "branch", parent: oak, context: context)
            try context.save()
        }
        let json = #"{"id": 1, "title": "oak", "children": [{"id": 2, "title": ""}]}"#
        remote.respondNext(.response(.accepted(body: Data(json.utf8))), to: .changes)
        let summary = try await sync.push()
        #expect(summary.parked.contains { $0.lastError?.contains("title") == true })
        #expect(try store.rows("SELECT title FROM node ORDER BY id") == ["oak", "branch"])
    }

    // MARK: Records as a whole

    /// A store with a node, and one in it if that is not new.
    private func forest(_ children: String, hasOwner: Bool = true) async throws -> (store: Store, remote: MemoryRemote)
    {
        let store = try Store(ForestSchema.self, at: .inMemory)
        let json = #"[{"id": 1, "title": "oak", "children": \#(children)}]"#
        if hasOwner { try await store.merge(Data(json.utf8), into: Node.self) }
        return (store, MemoryRemote(traits: RemoteTraits(sendsEmbedded: true)))
    }

    private func push(_ store: Store, _ remote: MemoryRemote, children: String?) async throws -> PushSummary {
        if let children {
            let json = #"{"id": 1, "title": "oak", "children": \#(children)}"#
            remote.respondNext(.response(.accepted(body: Data(json.utf8))), to: .changes)
        }
        return try await Sync(store: store, remote: remote, random: { 0.5 }).push()
    }

    private func add(_ store: Store, isNested: Bool = false) async throws {
        try await store.perform { context in
            let oak = try Node.find(1, in: context) ?? Node(id: 1, title: "oak", context: context)
            let branch = Node(id: 2, title: "branch", parent: oak, context: context)
            if isNested { Node(id: 3, title: "leaf", parent: branch, context: context) }
            try context.save()
        }
    }

    @Test(
        "P21.6 R10 A new embedded record that the device identifies, and that the list in the response lacks, stays",
        arguments: [false, true], ["[]", #"[{"id": 7, "title": "twig"}]"#, "null"])
    func lacked(hasOwner: Bool, children: String) async throws {
        let (store, remote) = try await forest("[]", hasOwner: hasOwner)
        try await add(store)
        let summary = try await push(store, remote, children: children)
        #expect(summary.parked.contains { $0.lastError?.contains("did not apply it: Node") == true })
        #expect(try store.rows("SELECT title FROM node WHERE id < 7 ORDER BY id") == ["oak", "branch"])
        // It is not sent again by itself, and a pull does not delete it.
        #expect(try await push(store, remote, children: nil).sent == 0)
        try await store.merge(Data(#"[{"id": 1, "title": "oak", "children": []}]"#.utf8), into: Node.self)
        #expect(try store.rows("SELECT title FROM node WHERE id < 7 ORDER BY id") == ["oak", "branch"])
        try await store.outbox.retryAll()
        let again = try await push(store, remote, children: #"[{"id": 2, "title": "branch"}]"#)
        #expect(again.parked.isEmpty && again.remaining == 0)
        #expect(try store.rows("SELECT title FROM node WHERE id < 7 ORDER BY id") == ["oak", "branch"])
    }

    @Test("P21 R10 What is embedded in an embedded record that was not applied stays with it")
    func nested() async throws {
        let (store, remote) = try await forest("[]")
        try await add(store, isNested: true)
        #expect(try await push(store, remote, children: "[]").parked.isEmpty == false)
        #expect(try store.rows("SELECT title FROM node ORDER BY id") == ["oak", "branch", "leaf"])
    }

    @Test("P8 P21 R10.17 Discarding a new embedded record that was not applied deletes it")
    func discardedAddition() async throws {
        let (store, remote) = try await forest("[]")
        try await add(store)
        for parked in try await push(store, remote, children: "[]").parked { try await store.outbox.discard(parked) }
        #expect(try store.rows("SELECT title FROM node ORDER BY id") == ["oak"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P21.14 R10 A response without the list shows nothing about a new embedded record")
    func withoutList() async throws {
        let (store, remote) = try await forest("[]")
        try await add(store)
        remote.respondNext(.response(.accepted(body: Data(#"{"id": 1, "title": "oak"}"#.utf8))), to: .changes)
        let summary = try await push(store, remote, children: nil)
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(try store.rows("SELECT title FROM node ORDER BY id") == ["oak", "branch"])
    }

    @Test("P21.6 R10 A deleted embedded record that the response still has stays deleted, and is parked")
    func stillThere() async throws {
        let children = #"[{"id": 2, "title": "branch"}]"#
        let (store, remote) = try await forest(children)
        try await store.perform { context in
            context.delete(try #require(try Node.find(2, in: context)))
            try context.save()
        }
        let summary = try await push(store, remote, children: children)
        #expect(summary.parked.contains { $0.lastError?.contains("did not apply it: Node") == true })
        #expect(try store.rows("SELECT title FROM node ORDER BY id") == ["oak"])
        try await store.outbox.retryAll()
        let again = try await push(store, remote, children: "[]")
        #expect(again.parked.isEmpty && again.remaining == 0)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try store.rows("SELECT * FROM lockstep_outbox") == [])
    }

    @Test(
        "P8 P21 R10 A line that Rails does not destroy stays deleted, parked with its order", arguments: [false, true])
    func notDestroyed(isDiscarded: Bool) async throws {
        let lines = RailsNesting(
            "lines", ignores: { [isMended] member, _, _ in member == "_destroy" && !isMended.withLock { $0 } })
        let stage = try EmbeddedIdentityStage([lines])
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        try await stage.edit { context in
            context.delete(try #require(try context.fetch(Line.all()).first { $0.title == "nut" }))
        }
        let parked = try #require(try await stage.sync.push().parked.first)
        #expect(parked.entity == "Order")
        #expect(parked.lastError?.contains("did not apply it: Line") == true)
        #expect(try await titles(stage) == ["bolt"])
        isMended.withLock { $0 = true }
        if isDiscarded {
            try await stage.store.outbox.discard(parked)
            #expect(try await titles(stage) == ["bolt", "nut"])
        } else {
            try await stage.store.outbox.retryAll()
            try await stage.sync.push()
            #expect(stage.there == ["1 bolt"])
        }
        #expect(try await stage.pending() == [])
        #expect(try stage.store.rows("SELECT * FROM lockstep_outbox") == [])
    }
}
