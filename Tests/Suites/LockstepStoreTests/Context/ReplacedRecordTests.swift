import LockstepStore
import StoreSamples
import Testing

@Suite("Two records with one key, one after the other or by mistake") @MainActor
struct ReplacedRecordTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    @Test("A record that moves to the successor of a deleted one is not deleted with that")
    func moveToSuccessor() throws {
        let old = Node(id: 1, name: "old", context: context)
        let other = Node(id: 2, name: "other", context: context)
        let child = Node(id: 3, name: "child", parent: other, context: context)
        try context.save()
        context.delete(old)
        child.parent = Node(id: 1, name: "new", context: context)
        try context.save()
        #expect(
            try store.rows("SELECT id, name, parent_id FROM node ORDER BY id")
                == ["1|new|NULL", "2|other|NULL", "3|child|1"])
        #expect(child.recordState == .stored && child.parent?.name == "new")
    }

    @Test("An ordered member that moves to the successor of a deleted owner keeps its place there")
    func orderedMoveToSuccessor() throws {
        let old = Book(id: 1, title: "old", context: context)
        let chapter = Chapter(heading: "moves", book: Book(id: 2, title: "other", context: context), context: context)
        try context.save()
        _ = old.chapters.count
        context.delete(old)
        let new = Book(id: 1, title: "new", context: context)
        chapter.book = new
        #expect(new.chapters.map(\.heading) == ["moves"])
        try context.save()
        #expect(try store.rows("SELECT heading, book_id FROM chapter") == ["moves|1"])
    }

    @Test("Deleting an unsaved duplicate leaves what belongs to the record in the store")
    func duplicate() async throws {
        Node(id: 2, name: "child", parent: Node(id: 1, name: "root", context: context), context: context)
        try await context.save()
        let code = try await store.perform { context in
            let duplicate = Node(id: 1, name: "duplicate", context: context)
            var code: StoreError.Code?
            do { try context.save() } catch let error as StoreError { code = error.code }
            context.delete(duplicate)
            try context.save()
            return code
        }
        #expect(code == .duplicateIdentity)
        #expect(try store.rows("SELECT name FROM node ORDER BY id") == ["root", "child"])
    }

    @Test("Where the successor of a deleted record is deleted too, neither is found")
    func deletedSuccessor() throws {
        let old = Node(id: 1, name: "old", context: context)
        try context.save()
        context.delete(old)
        context.delete(Node(id: 1, name: "new", context: context))
        #expect(try Node.find(1, in: context) == nil)
        #expect(try context.fetch(Node.all()).isEmpty)
        try context.save()
        #expect(try store.rows("SELECT id FROM node") == [])
    }

    @Test("A fetch gives the record in the store, not an unsaved duplicate of it")
    func shadowed() async throws {
        Node(id: 1, name: "stored", context: context)
        try await context.save()
        let names = try await store.perform { context in
            Node(id: 1, name: "duplicate", context: context)
            return try context.fetch(Node.all()).map(\.name)
        }
        #expect(names == ["stored"])
    }

    @Test("A record that is about to be replaced is not fetched any more, nor its successor in its place")
    func replaced() throws {
        let old = Node(id: 1, name: "old", context: context)
        try context.save()
        context.delete(old)
        let new = Node(id: 1, name: "new", context: context)
        #expect(try context.fetch(Node.all()).isEmpty)
        #expect(try Node.find(1, in: context) === new)
        try context.save()
        #expect(try context.fetch(Node.all()).map(\.name) == ["new"])
    }

    @Test("A record that is deleted and made anew has the links of a many to many that it is given")
    func manyToMany() throws {
        let tags = ["x", "y"].map { Tag(name: $0, context: context) }
        let old = Product(id: 1, name: "old", tags: tags, context: context)
        try context.save()
        context.delete(old)
        let new = Product(id: 1, name: "new", context: context)
        #expect(new.tags.isEmpty)
        new.tags.insert(tags[1])
        #expect(new.tags.map(\.name) == ["y"] && tags[1].products.map(\.name) == ["new"])
        try context.save()
        #expect(try store.rows("SELECT product_id, tag_id FROM product_tag") == ["1|y"])
    }

    @Test("findOrInsert deletes no record that was there before it")
    func findOrInsert() throws {
        let first = Product(id: 1, name: "1", context: context)
        try context.save()
        #expect(
            storeError { _ = try Product.findOrInsert(2, in: context) { _ in first } }?.code == .wrongIdentity)
        #expect(first.recordState == .stored)
        #expect(
            storeError {
                _ = try Product.findOrInsert(2, in: context) { Product(id: 3, name: "3", context: $0) }
            }?.code == .wrongIdentity)
        let elsewhere = try Store(LibrarySchema.self, at: .inMemory).mainContext
        #expect(
            storeError {
                _ = try Product.findOrInsert(2, in: context) { _ in Product(id: 2, name: "2", context: elsewhere) }
            }?.code == .otherContext)
        #expect(!context.hasChanges)
    }

    @Test("findOrInsert takes back what was made before it failed, and nothing with it")
    func findOrInsertThrows() throws {
        let child = Node(id: 2, name: "child", context: context)
        try context.save()
        #expect(throws: CancellationError.self) {
            try Node.findOrInsert(1, in: context) { context in
                Node(id: 1, name: "made", children: [child], context: context)
                throw CancellationError()
            }
        }
        #expect(child.recordState != .deleted && child.parent == nil)
        try context.save()
        #expect(try store.rows("SELECT name, parent_id FROM node") == ["child|NULL"])
    }
}
