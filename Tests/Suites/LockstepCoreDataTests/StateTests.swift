import Foundation
import GRDB
import LockstepCoreData
import LockstepStore
import TestSupport
import Testing

@testable import ImportedModels

@Suite("What copied rows are for a sync")
struct StateTests {
    /// The pending changes by entity, all of them creations.
    private func creations(_ store: Store) async throws -> [String: Int] {
        let pending = try await store.outbox.pending()
        #expect(pending.allSatisfy { $0.kind == .create })
        return Dictionary(pending.map { ($0.entity, 1) }, uniquingKeysWith: +)
    }

    @Test("Of rows that the server has, nothing is pending, and a later edit is")
    func received() async throws {
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            _ = try await fixture.copy(.links, as: .received)
            #expect(try await fixture.store.outbox.count() == 0)
            try await fixture.store.perform { context in
                try context.find(Author.self, 1)?.name = "Countess"
                try context.save()
            }
            let pending = try await fixture.store.outbox.pending()
            #expect(pending.map(\.kind) == [.update])
        }
    }

    @Test("Each unsent row is a new record to send")
    func unsent() async throws {
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            _ = try await fixture.copy(.links, as: .unsent)
            #expect(try await creations(fixture.store) == ["Author": 3, "Book": 3, "Passport": 3, "Tag": 3])
            // The same as if a context had saved them.
            let (copied, saved) = (try await pendingLinks(fixture.store), try await savedLinks())
            #expect(copied == saved)
        }
    }

    /// The recorded links, without the identities of records that differ.
    private func pendingLinks(_ store: Store) async throws -> [String: Int] {
        try await store.writer.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT join_table, COUNT(*) FROM lockstep_outbox_link GROUP BY 1 ORDER BY 1")
            return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
        }
    }

    private func savedLinks() async throws -> [String: Int] {
        let store = try Store(LinksSchema.self, at: .inMemory)
        try await store.perform { context in
            func author(_ id: Int64) -> Author {
                Author(authorID: id, passport: Passport(context: context), context: context)
            }
            func book(_ isbn: String, _ edition: Int16, _ author: Author) -> Book {
                Book(isbn: isbn, edition: edition, author: author, context: context)
            }
            let (ada, bob) = (author(1), author(2))
            _ = author(3)
            let (one, two, three) = (book("1", 1, ada), book("1", 2, ada), book("3", 1, bob))
            let tags = try (1...3).map { Tag(identifier: try identity($0), context: context) }
            one.tags.insert(tags[0])
            one.tags.insert(tags[1])
            three.tags.insert(tags[1])
            one.related.insert(two)
            one.related.insert(three)
            ada.friends.insert(bob)
            bob.friends.insert(ada)
            try context.save()
        }
        return try await pendingLinks(store)
    }

    @Test("The app can choose for each row, by an attribute that the schema has not")
    func chosen() async throws {
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            for sql in ["ALTER TABLE ZTAG ADD COLUMN ZISSYNCED INTEGER", "UPDATE ZTAG SET ZISSYNCED = Z_PK <> 2"] {
                try SQLiteFile.execute(sql, fixture.url)
            }
            let state = CoreDataRowState.chosen { row in
                switch row.entity {
                case "Tag": row.bool("isSynced") == true ? .received : .unsent
                case "Book": row.string("title") == "One" && row.integer("edition") == 1 ? .unsent : .received
                default: row.hasValue("nothing") ? .unsent : .received
                }
            }
            _ = try await fixture.copy(.links, as: state)
            let pending = try await fixture.store.outbox.pending().filter { $0.kind == .create }
            #expect(Set(pending.map(\.entity)) == ["Tag", "Book"])
            #expect(pending.count == 2)
        }
    }

    @Test("Links of a chosen row are pending, and those between received rows are not")
    func chosenLinks() async throws {
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            let state = CoreDataRowState.chosen {
                $0.entity == "Book" && $0.string("title") == "Three" ? .unsent : .received
            }
            _ = try await fixture.copy(.links, as: state)
            #expect(try await pendingLinks(fixture.store) == ["book_tag": 1])
        }
    }
}
