import GRDB
@testable import LockstepStore
import StoreSamples
import Testing

@Suite("A child is told to read again") @MainActor
struct ChildRefreshTests {
    private let store: Store
    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext
    private let author: Author

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        parent = store.mainContext
        child = parent.makeChild()
        _ = Author(id: 1, name: "A", context: parent)
        try parent.save()
        author = try #require(try Author.find(1, in: child))
    }

    /// Writes as another process does: no context is told.
    private func writeUnseen(_ sql: String) throws {
        try store.writer.write { database in
            try database.execute(sql: "DROP TRIGGER IF EXISTS lockstep_note_update_0")
            try database.execute(sql: "DROP TRIGGER IF EXISTS lockstep_note_delete_0")
            try database.execute(sql: sql)
        }
    }

    @Test("One record: its parent reads it from the store, and keeps its own changes")
    func record() throws {
        let above = try #require(try Author.find(1, in: parent))
        try writeUnseen("UPDATE author SET name = 'B'")
        try child.refresh(author)
        #expect(author.name == "B" && above.name == "B")
        above.name = "C"
        try child.refresh(author, keepingChanges: false)
        #expect(author.name == "C" && above.name == "C" && above.recordState == .changed)
    }

    @Test("Every record")
    func all() throws {
        try writeUnseen("UPDATE author SET name = 'B'")
        try child.refreshAll()
        #expect(author.name == "B")
        try writeUnseen("DELETE FROM author")
        try child.refreshAll()
        #expect(author.recordState == .deleted)
    }

    @Test("A child's links of many to many are dropped with its changes, the parent's stay")
    func links() throws {
        let product = Product(id: 1, name: "P", context: parent)
        product.tags.insert(Tag(name: "a", context: parent))
        let own = try #require(try Product.find(1, in: child))
        own.tags.insert(Tag(name: "b", context: child))
        #expect(own.tags.map(\.name) == ["a", "b"])
        try child.refresh(own, keepingChanges: false)
        #expect(own.tags.map(\.name) == ["a"])
        try child.save()
        #expect(product.tags.map(\.name) == ["a"])
    }
}
