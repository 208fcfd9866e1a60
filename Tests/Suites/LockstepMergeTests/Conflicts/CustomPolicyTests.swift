import Foundation
import Journal
import LockstepStore
import RuntimeTestSupport
import Shop
import Testing

@testable import LockstepMerge

@Suite("C1 A function of base, local and remote")
struct CustomPolicyTests {
    private static let id = "00000000-0000-0000-0000-000000000001"
    private static let monday = """
        INSERT INTO entry (identifier, title, body_text, mood, timestamp) VALUES ('\(id)', 'Monday', 'Rain.', 'sad', 100)
        """
    private static let entry = "SELECT title, body_text, mood FROM entry"

    private func json(_ members: String) -> String { #"[{"identifier": "\#(Self.id)", \#(members)}]"# }

    private func journal(
        _ resolve:
            @escaping @Sendable (EntryRepresentation?, EntryRepresentation, EntryRepresentation?) throws
            -> EntryRepresentation?
    ) throws -> ConflictStage {
        try ConflictStage(
            JournalSchema.self, ConflictPolicies.localChangesWin.using(.custom(Entry.self, resolve), for: Entry.self),
            Self.monday)
    }

    @Test("C1 The function receives all three, and its result is stored and sent")
    func joined() async throws {
        let journal = try journal { base, local, remote in
            #expect(base?.bodyText == "Rain." && remote?.title == "Monday" && remote?.mood == .happy)
            guard var joined = remote else { return local }
            joined.bodyText = "\(local.bodyText ?? "") \(remote?.bodyText ?? "")"
            return joined
        }
        try journal.edit("UPDATE entry SET body_text = 'Here.'")
        try await journal.merge(json(#""bodyText": "There.", "mood": "happy""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Monday Here. There. happy"])
        #expect(try journal.rows("SELECT title, body_text, mood FROM lockstep_base_entry") == ["Monday There. happy"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    @Test("C1 A result equal to the server's record is no longer pending")
    func remote() async throws {
        let journal = try journal { $2 ?? $1 }
        try journal.edit("UPDATE entry SET body_text = 'Here.', title = 'Here'")
        try await journal.merge(json(#""title": "Monday", "bodyText": "There.", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Monday There. sad"])
        #expect(try journal.pending().isEmpty)
    }

    @Test("C2 It is not called if each side edited different fields")
    func notAsked() async throws {
        let journal = try journal { _, _, _ in
            Issue.record("asked")
            return nil
        }
        try journal.edit("UPDATE entry SET body_text = 'Here.'")
        try await journal.merge(json(#""mood": "happy""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Monday Here. happy"])
    }

    @Test("C1 If it returns nil, the record is deleted, and the delete is sent")
    func deleted() async throws {
        let journal = try journal { _, _, _ in nil }
        try journal.edit("UPDATE entry SET body_text = 'Here.'")
        let summary = try await journal.merge(json(#""bodyText": "There.""#), into: Entry.self)
        #expect(summary.deleted == 1)
        #expect(try journal.rows(Self.entry).isEmpty)
        #expect(try journal.pending() == ["Entry \(Self.id) delete"])
    }

    @Test("C1 What the server has deleted is not sent as a local delete, although the function deletes another record")
    func deletedWithOthers() async throws {
        let journal = try journal { _, _, _ in nil }
        let other = "00000000-0000-0000-0000-000000000002"
        try journal.edit(
            "INSERT INTO entry (identifier, title, mood, timestamp) VALUES ('\(other)', 'Tuesday', 'sad', 100)")
        for store in [journal.store, journal.typed] { try store.confirmAll() }
        try journal.edit("UPDATE entry SET body_text = 'Here.' WHERE identifier = '\(Self.id)'")
        try await journal.merge(json(#""bodyText": "There.""#), into: Entry.self) { $0.records = .all }
        #expect(try journal.rows(Self.entry).isEmpty)
        #expect(try journal.pending() == ["Entry \(Self.id) delete"])
    }

    @Test("C3 For a record deleted on the server, remote is nil")
    func gone() async throws {
        let journal = try journal { _, local, remote in
            #expect(remote == nil)
            var kept = local
            kept.title = "Again"
            return kept
        }
        try journal.edit("UPDATE entry SET body_text = 'Here.'")
        try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(try journal.rows(Self.entry) == ["Again Here. sad"])
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
    }

    @Test("C3 For a record deleted on the server, it can delete the record locally")
    func goneForGood() async throws {
        let journal = try journal { _, _, remote in remote }
        try journal.edit("UPDATE entry SET body_text = 'Here.'")
        let summary = try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(summary.deleted == 1)
        #expect(try journal.pending().isEmpty)
        #expect(try journal.rows("SELECT * FROM lockstep_base_entry").isEmpty)
    }

    @Test("C1 An error that it throws ends the merge without changes")
    func throwing() async throws {
        struct Undecided: Error {}
        let journal = try journal { _, _, _ in throw Undecided() }
        try journal.edit("UPDATE entry SET body_text = 'Here.'")
        let error = await #expect(throws: MergeError.self) {
            try await journal.store.merge(self.json(#""bodyText": "There.", "mood": "happy""#), into: Entry.self)
        }
        #expect(error?.code == .hook && error?.underlyingError is Undecided)
        #expect(try journal.rows(Self.entry) == ["Monday Here. sad"])
    }

    @Test("C1 Its result is validated like a record from the server")
    func invalid() async throws {
        let shop = try ConflictStage(
            ShopSchema.self,
            ConflictPolicies().using(
                .custom(Product.self) { _, local, _ in
                    var free = local
                    free.price = -1
                    return free
                }, for: Product.self),
            "INSERT INTO product (id, name, price) VALUES (1, 'A', '1')")
        try shop.edit("UPDATE product SET name = 'Here'")
        let error = await #expect(throws: MergeError.self) {
            try await shop.store.merge(#"{"id": 1, "name": "There"}"#, into: Product.self)
        }
        #expect(error?.code == .invalidRecord)
        #expect(error?.reason.contains("price") == true)
    }

    @Test("C1 For a record with lists, it decides the attributes; lists are merged separately")
    func lists() async throws {
        let shop = try ConflictStage(
            ShopSchema.self,
            ConflictPolicies().using(
                .custom(Product.self) { _, local, remote in
                    #expect(local.tagIDs == [1])
                    var joined = local
                    joined.name = "\(local.name) \(remote?.name ?? "")"
                    joined.tagIDs = []
                    return joined
                }, for: Product.self),
            """
            INSERT INTO product (id, name) VALUES (1, 'A'); INSERT INTO tag (id, name) VALUES (1, 'one'), (2, 'two');
            INSERT INTO product_tag VALUES (1, 1);
            """)
        try shop.edit("UPDATE product SET name = 'Here'")
        try await shop.merge(#"[{"id": 1, "name": "There", "tag_ids": [1, 2]}]"#, into: Product.self)
        #expect(try shop.rows("SELECT name FROM product") == ["Here There"])
        #expect(try shop.rows("SELECT tag_id FROM product_tag ORDER BY tag_id") == ["1", "2"])
    }

    @Test("C1 A policy that cannot be applied to an entity is reported as an error")
    func validation() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let unknown = #expect(throws: MergeError.self) {
            try store.useConflictPolicies(ConflictPolicies(.newestWins(by: "updatedAt")))
        }
        #expect(unknown?.code == .conflictPolicy && unknown?.entity == "Entry")
        #expect(unknown?.reason == "there is no attribute “updatedAt”")
        var options = MergeOptions()
        options.conflicts = .newestWins(by: "title")
        let text = await #expect(throws: MergeError.self) {
            try await store.merge("[]", into: Entry.self, options: options)
        }
        #expect(text?.reason == "the attribute “title” is neither a date nor a number")
        options.conflicts = .custom(Article.self) { $2 ?? $1 }
        let other = await #expect(throws: MergeError.self) {
            try await store.merge("[]", into: Entry.self, options: options)
        }
        #expect(other?.reason == "the function decides conflicts of “Article”, not of “Entry”")
    }
}
