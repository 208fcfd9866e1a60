import Foundation
@testable import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import StoreSamples
import Testing

/// Servers that return links in other forms than they were sent.
@Suite("Links that were accepted, in the forms of responses")
struct UnappliedLinkStories {
    private let lower = "6f1c2a3b-1d4e-4f22-8a33-0000000000ab"
    private let other = "6f1c2a3b-1d4e-4f22-8a33-0000000000cd"
    private let remote = MemoryRemote(traits: RemoteTraits())

    private func respond(_ json: String) {
        remote.respondNext(.response(.accepted(body: Data(json.utf8))), to: .changes)
    }

    private func sync(_ store: Store, _ conflicts: ConflictPolicies = .localChangesWin) -> Sync {
        Sync(store: store, remote: remote, conflicts: conflicts, random: { 0.5 })
    }

    /// A store with a basket, a guest and a label.
    private func baskets(guests: String, labels: String) async throws -> Store {
        let store = try Store(BasketsSchema.self, at: .inMemory)
        try await store.merge(Data(#"[{"id": 5, "name": "g"}]"#.utf8), into: Guest.self)
        try await store.merge(Data(#"[{"id": 7, "name": "l"}]"#.utf8), into: Label.self)
        let json = #"[{"id": 1, "name": "B", "guests": \#(guests), "labels": \#(labels)}]"#
        try await store.merge(Data(json.utf8), into: Basket.self)
        return store
    }

    /// Notes of two identities, and a folder.
    private func notebook() async throws -> Store {
        let store = try Store(Notebook.self, at: .inMemory)
        let memos = #"[{"id": "\#(lower)", "text": "one"}, {"id": "\#(other)", "text": "two"}]"#
        try await store.merge(Data(memos.utf8), into: NotebookMemo.self)
        let folder = #"[{"id": "\#(lower)", "title": "A", "pin_ids": []}]"#
        try await store.merge(Data(folder.utf8), into: NotebookFolder.self)
        return store
    }

    @Test(
        "R11 P21 A list that has records where identities were sent has the links",
        arguments: ["[5]", #"["5"]"#, #"[{"id": 5, "name": "g"}]"#, #"[{"id": "5"}]"#])
    func records(guests: String) async throws {
        let store = try await baskets(guests: "[]", labels: "[]")
        try await store.perform { context in
            let basket = try #require(try Basket.find(1, in: context))
            for guest in try context.fetch(Guest.all()) { basket.guests.insert(guest) }
            for label in try context.fetch(Label.all()) { basket.labels.insert(label) }
            try context.save()
        }
        let labels = guests.replacingOccurrences(of: "5", with: "7")
        respond(#"{"id": 1, "name": "B", "guests": \#(guests), "labels": \#(labels)}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(try store.rows("SELECT basket_id FROM guest") == ["1"])
        #expect(try store.rows("SELECT COUNT(*) FROM basket_label") == ["1"])
    }

    @Test("R11 P21.4 A list that still has the record of a removed link shows that it was not removed")
    func removed() async throws {
        let store = try await baskets(guests: "[5]", labels: "[7]")
        try await store.perform { context in
            let basket = try #require(try Basket.find(1, in: context))
            for label in try context.fetch(Label.all()) { basket.labels.remove(label) }
            try context.save()
        }
        respond(#"{"id": 1, "name": "B", "labels": [{"id": 7, "name": "l"}]}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.first?.lastError?.contains("did not apply it: labels") == true)
        #expect(try store.rows("SELECT COUNT(*) FROM basket_label") == ["0"])
    }

    @Test("C3 P21.4 An added link that the list lacks is not parked if its record was deleted meanwhile")
    func deletedMeanwhile() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), ignores: { member, _, _ in member == "labels" })
        remote.set(["id": 1, "name": "B", "guests": [], "labels": []], id: "1", in: "/baskets")
        let store = try await baskets(guests: "[]", labels: "[]")
        try await store.perform { context in
            let basket = try #require(try Basket.find(1, in: context))
            basket.name = "C"
            for label in try context.fetch(Label.all()) { basket.labels.insert(label) }
            try context.save()
        }
        let sync = Sync(store: store, remote: remote, random: { 0.5 })
        let gate = Gate()
        remote.respondNext(.responseHeld(gate), to: .changes)
        let push = Task { try await sync.push() }
        try await gate.reached()
        try await store.merge(Data("[]".utf8), into: Label.self, options: MergeOptions(records: .all))
        gate.open()
        let summary = try await push.value
        #expect(summary.updated == 1 && summary.parked.isEmpty && summary.remaining == 0)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(remote.record("1", of: "/baskets")?["name"] == "C")
    }

    @Test("M5 P21.7 Identities that a list returns in upper case are those that were sent", arguments: [false, true])
    func uppercaseList(isRemoved: Bool) async throws {
        let store = try await notebook()
        try await store.writer.write { [lower] in
            try $0.execute(sql: "INSERT INTO folder_pin VALUES (?, ?)", arguments: [lower, lower])
        }
        respond(#"{"id": "\#(lower)", "title": "A", "pin_ids": ["\#(lower.uppercased())"]}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        guard isRemoved else { return }
        try await store.writer.write { try $0.execute(sql: "DELETE FROM folder_pin") }
        respond(#"{"id": "\#(lower)", "title": "A", "pin_ids": ["\#(lower.uppercased())"]}"#)
        #expect(try await sync(store).push().parked.count == 1)
    }

    @Test(
        "M5 P21.7 The former key is the former one in any case",
        arguments: [ConflictPolicies.localChangesWin, .serverWins], [false, true])
    func uppercaseKey(policy: ConflictPolicies, isApplied: Bool) async throws {
        let store = try await notebook()
        let folder = #"[{"id": "\#(other)", "title": "B", "pin_ids": []}]"#
        try await store.merge(Data(folder.utf8), into: NotebookFolder.self)
        let memo = #"[{"id": "\#(lower)", "text": "one", "folder_id": "\#(lower)"}]"#
        try await store.merge(Data(memo.utf8), into: NotebookMemo.self)
        try await store.writer.write { [lower, other] in
            try $0.execute(sql: "UPDATE memo SET folder_id = ? WHERE id = ?", arguments: [other, lower])
        }
        let returned = (isApplied ? other : lower).uppercased()
        respond(#"{"id": "\#(lower)", "text": "one", "folder_id": "\#(returned)"}"#)
        #expect(try await sync(store, policy).push().parked.count == (isApplied ? 0 : 1))
        #expect(try store.rows("SELECT folder_id FROM memo WHERE id = '\(lower)'") == [other])
    }
}
