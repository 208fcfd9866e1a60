import GRDB
@testable import LockstepStore
import StoreSamples
import Testing

@Suite("What SQL does to tables and triggers while contexts are in use") @MainActor
struct RebuiltTableTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let author: Author

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
        author = Author(id: 1, name: "A", context: context)
        try context.save()
    }

    private func shownName() throws -> String {
        _ = try context.exists(Node.all())
        return author.name
    }

    @Test(
        "A table that is made anew is followed",
        arguments: [
            """
            CREATE TABLE new_author (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
            INSERT INTO new_author SELECT id, name || '!' FROM author;
            DROP TABLE author; ALTER TABLE new_author RENAME TO author
            """,
            """
            ALTER TABLE author RENAME TO old_author;
            CREATE TABLE author (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
            INSERT INTO author SELECT id, name || '!' FROM old_author; DROP TABLE old_author
            """,
        ])
    func rebuilt(_ sql: String) throws {
        try store.run(sql)
        #expect(try shownName() == "A!")
        try store.run("UPDATE author SET name = 'B'")
        #expect(try shownName() == "B")
        author.name = "C"
        try context.save()
        #expect(try store.rows("SELECT name FROM author") == ["C"])
        try store.run("DELETE FROM author")
        _ = try shownName()
        #expect(author.recordState == .deleted)
    }

    @Test("A table of the app's own changes nothing")
    func otherTable() throws {
        try store.run("CREATE TABLE other (id INTEGER); INSERT INTO other VALUES (1)")
        try store.run("UPDATE author SET name = 'B'")
        #expect(try shownName() == "B")
        let log = ChangeLog()
        context.observers.add(log)
        try store.run("CREATE INDEX other_id ON other (id); DROP TABLE other")
        _ = try shownName()
        #expect(log.take() == [])
    }

    @Test("What an app's trigger inserts after a save is told, to the context that saved too")
    func insertingTrigger() throws {
        try store.run(
            """
            CREATE TRIGGER log_author AFTER UPDATE OF name ON author BEGIN
                INSERT INTO node (id, name) VALUES (NEW.id, OLD.name);
            END;
            CREATE TRIGGER link_product AFTER INSERT ON product BEGIN
                INSERT INTO product_tag VALUES (NEW.id, 'all', 0);
            END
            """)
        let other = ManagedObjectContext(store.mainContext.base)
        let logs = [ChangeLog(), ChangeLog()]
        context.observers.add(logs[0])
        other.observers.add(logs[1])
        author.name = "B"
        try context.save()
        _ = try other.exists(Node.all())
        for log in logs { #expect(log.take() == ["author: ~1", "node: +"]) }
        Product(id: 1, name: "P", context: context)
        try context.save()
        _ = try other.exists(Node.all())
        for log in logs { #expect(log.take() == ["product: +", "product_tag: *"]) }
    }
}
