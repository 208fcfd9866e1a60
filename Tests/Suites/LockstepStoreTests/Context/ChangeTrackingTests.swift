import GRDB
@testable import LockstepStore
import StoreSamples
import TestSupport
import Testing

@Suite("What a commit has changed is told to contexts") @MainActor
struct ChangeTrackingTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let log = ChangeLog()

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
        context.observers.add(log)
    }

    /// What a read is told of first.
    private func told() throws -> [String] {
        _ = try context.exists(Author.all())
        return log.take()
    }

    @Test("Rows that SQL inserts, changes and deletes")
    func sql() throws {
        try store.run("INSERT INTO author (id, name) VALUES (1, 'A'), (2, 'B'), (3, 'C')")
        #expect(try told() == ["author: +"])
        try store.run("UPDATE author SET name = 'X' WHERE id > 1")
        #expect(try told() == ["author: ~2,3"])
        try store.run("DELETE FROM author WHERE id = 2")
        #expect(try told() == ["author: -2"])
        try store.run("DELETE FROM author")
        #expect(try told() == ["author: -1,3"])
        try store.run("DELETE FROM author")
        #expect(try told() == [])
    }

    @Test("What triggers, foreign keys and REPLACE do")
    func effects() throws {
        try store.run(
            """
            INSERT INTO author VALUES (1, 'A'); INSERT INTO book (id, title, isbn, author_id) VALUES (5, 'B', 'i', 1);
            INSERT INTO chapter VALUES (7, 'C', 5, 0); INSERT INTO person VALUES (1, 'P');
            INSERT INTO passport VALUES ('n', 1)
            """)
        _ = try told()
        try store.run("DELETE FROM author")
        #expect(try told() == ["author: -1", "book: ~5"])
        try store.run("REPLACE INTO book (id, title, isbn) VALUES (6, 'B', 'i')")
        #expect(try told() == ["book: + -5", "chapter: -7"])
        try store.run("DELETE FROM person")
        #expect(try told() == ["passport: -n", "person: -1"])
        try store.run("INSERT INTO book (id, title) VALUES (6, 'C') ON CONFLICT (id) DO UPDATE SET title = 'D'")
        #expect(try told() == ["book: + ~6"])
    }

    @Test("Keys that SQL changes are deleted ones, and their new ones changed ones")
    func movedKeys() throws {
        try store.run("INSERT INTO author VALUES (1, 'A'); INSERT INTO seat VALUES ('a', 1, 2.5)")
        _ = try told()
        try store.run("UPDATE author SET id = 2")
        #expect(try told() == ["author: ~2 -1"])
        try store.run("UPDATE seat SET number = 2")
        #expect(try told() == ["seat: ~a, 2 -a, 1"])
    }

    @Test("Links of a many to many are told by their table, and saved ones by the records that are sent with them, too")
    func joins() throws {
        try store.run("INSERT INTO product_tag VALUES (1, 'x', 0)")
        #expect(try told() == ["product_tag: *"])
        let product = Product(id: 1, name: "P", tags: [Tag(name: "y", context: context)], context: context)
        try context.save()
        #expect(log.take() == ["product: +", "product_tag: *", "tag: +"])
        product.tags.removeAll()
        try context.save()
        #expect(log.take() == ["product: ~1", "product_tag: *", "tag: ~y"])
    }

    @Test("What is rolled back is not told, nor what changes nothing")
    func rollback() throws {
        try store.run("INSERT INTO author VALUES (1, 'A')")
        _ = try told()
        let database = store.writer
        #expect(throws: CancellationError.self) {
            try database.write { database in
                try database.execute(sql: "DELETE FROM author")
                throw CancellationError()
            }
        }
        try database.write { _ = try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM author") }
        #expect(try told() == [])
        try store.run("UPDATE author SET name = 'B'")
        #expect(try told() == ["author: ~1"])
    }

    @Test("So many keys that reading each would cost more are told as all")
    func unbounded() throws {
        try store.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
            INSERT INTO author SELECT i, 'A' FROM n
            """)
        let first = try #require(try Author.find(1, in: context))
        let last = try #require(try Author.find(10_001, in: context))
        log.take()
        try store.run("UPDATE author SET name = 'B' WHERE id <= 10000")
        #expect(try told().first?.hasPrefix("author: ~") == true)
        try store.run("UPDATE author SET name = 'C'; DELETE FROM author WHERE id = 10001")
        #expect(try told() == ["author: *"])
        #expect(first.name == "C")
        #expect(last.recordState == .deleted)
    }

    @Test("A context is told of its own saves, once, after they are done")
    func ownSave() throws {
        let author = Author(id: 1, name: "A", context: context)
        var states: [Bool] = []
        log.onChange = { [context] in states.append(context.hasChanges) }
        try context.save()
        #expect(log.take() == ["author: +"])
        author.name = "B"
        try context.save()
        #expect(log.take() == ["author: ~1"])
        context.delete(author)
        try context.save()
        #expect(log.take() == ["author: -1"])
        try context.save()
        #expect(try told() == [])
        #expect(states == [false, false, false])
    }

    @Test("Commits that come together are told as one, and an observer that reads is told of the next ones after")
    func coalesced() throws {
        try store.run("INSERT INTO author VALUES (1, 'A')")
        try store.run("INSERT INTO book (id, title) VALUES (1, 'A')")
        var isFirst = true
        log.onChange = { [store, context] in
            guard isFirst else { return }
            isFirst = false
            try? store.run("UPDATE author SET name = 'B'")
            #expect((try? context.fetch(Author.all()).map(\.name)) == ["B"])
        }
        _ = try context.exists(Author.all())
        #expect(log.changes.map { $0.tables.keys.sorted() } == [["author", "book"], ["author"]])
    }

    @Test("The main context is told by itself, others when they are asked")
    func woken() async throws {
        let author = Author(id: 1, name: "A", context: context)
        try await context.save()
        log.take()
        try await store.perform { [store] context in
            let mine = try Author.find(1, in: context)
            try store.run("UPDATE author SET name = 'B'")
            #expect(mine?.name == "A")
            _ = try context.exists(Book.all())
            #expect(mine?.name == "B")
        }
        #expect(try await soon { !log.changes.isEmpty }, "waited for the main context to be told")
        #expect(log.take() == ["author: ~1"])
        #expect(author.name == "B")
    }

    @Test("A companion takes over commits along with the context that is woken")
    func companion() async throws {
        try store.run("INSERT INTO author VALUES (1, 'A')")
        let other = ManagedObjectContext(context.base)
        context.observers.addCompanion(other)
        let author = try #require(try Author.find(1, in: other))
        let otherLog = ChangeLog()
        other.observers.add(otherLog)
        try await store.perform { context in
            try Author.find(1, in: context)?.name = "B"
            try context.save()
        }
        #expect(try await soon { !otherLog.changes.isEmpty }, "waited for the companion to be told")
        #expect(author.name == "B")
    }
}
