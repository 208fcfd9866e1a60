import GRDB
@testable import LockstepStore
import StoreSamples
import Testing

@Suite("A rollback that could not read") @MainActor
struct UnreadableRollbackTests {
    @Test("Records are read when the store can be again, and what is changed then is saved")
    func rollback() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let author = Author(id: 1, name: "A", context: context)
        let deleted = Author(id: 2, name: "B", context: context)
        try context.save()
        author.name = "C"
        context.delete(deleted)
        try store.run("ALTER TABLE author RENAME TO writer")
        context.rollback()
        try store.run("ALTER TABLE writer RENAME TO author")
        #expect(!context.hasChanges)
        #expect(throws: (any Error).self) { try context.save() }
        #expect(try context.fetch(Author.orderByPrimaryKey()).map(\.id) == [1, 2])
        #expect(deleted.recordState == .stored)
        #expect(author.name == "A" && author.recordState == .stored)
        author.name = "D"
        deleted.name = "E"
        #expect(context.hasChanges)
        try context.save()
        #expect(try store.rows("SELECT name FROM author ORDER BY id") == ["D", "E"])
    }
}
