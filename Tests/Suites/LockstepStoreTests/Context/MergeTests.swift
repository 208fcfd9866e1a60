import Foundation
@_spi(Generated) import LockstepStore
import StoreSamples
import TestSupport
import Testing

@Suite("Taking over representations") @MainActor
struct MergeTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    @Test("A tree of representations becomes a tree of records, and is equal to it both ways")
    func tree() throws {
        let tree = NodeRepresentation(
            id: 1, name: "root",
            children: [
                NodeRepresentation(id: 2, name: "a", children: [NodeRepresentation(id: 3, name: "b", children: [])]),
                NodeRepresentation(id: 4, name: "c", children: []),
            ])
        let root = try #require(Node(representation: tree, context: context))
        try context.save()
        #expect(try store.rows("SELECT id, parent_id FROM node ORDER BY id") == ["1|NULL", "2|1", "3|2", "4|1"])
        #expect(root == tree && tree == root)
        #expect(!(root != tree) && !(tree != root))
        #expect(root.representation == tree)
        root.children[0].children[0].name = "other"
        #expect(root != tree && tree != root)
    }

    @Test("Merging the same again changes nothing")
    func twice() throws {
        let representation = AuthorRepresentation(
            id: 1, name: "A",
            books: [
                BookRepresentation(id: 1, title: "B", authorID: 1, chapters: [ChapterRepresentation(heading: "1")]),
                BookRepresentation(id: 2, title: "C", authorID: 1, chapters: []),
            ])
        let author = try #require(Author(representation: representation, context: context))
        try context.save()
        author.update(from: representation)
        #expect(!context.hasChanges)
        #expect(author == representation)
    }

    @Test("Membership becomes exact: what is missing is unlinked, or deleted where the relationship cascades")
    func exactMembership() throws {
        let author = Author(id: 1, name: "A", context: context)
        for id in 1...3 { Book(id: id, title: "\(id)", author: author, context: context) }
        let node = Node(id: 1, name: "root", context: context)
        for id in 2...4 { Node(id: id, name: "\(id)", parent: node, context: context) }
        try context.save()
        author.books.merge([
            BookRepresentation(id: 3, title: "three", authorID: 1), BookRepresentation(id: 9, title: "new"),
        ])
        node.children.merge([NodeRepresentation(id: 4, name: "four")])
        try context.save()
        #expect(
            try store.rows("SELECT id, title, author_id FROM book ORDER BY id")
                == ["1|1|NULL", "2|2|NULL", "3|three|1", "9|new|1"])
        #expect(try store.rows("SELECT id, name FROM node ORDER BY id") == ["1|root", "4|four"])
    }

    @Test("A record is found in the whole store, not only among the owner's members")
    func matchingIsGlobal() throws {
        let first = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "B", author: first, context: context)
        let second = Author(id: 2, name: "B", context: context)
        try context.save()
        second.books.merge([BookRepresentation(id: 1, title: "taken over", authorID: 2)])
        #expect(book.author === second && first.books.isEmpty)
        try context.save()
        #expect(try store.rows("SELECT id, title, author_id FROM book") == ["1|taken over|2"])
    }

    @Test("Of duplicates in one list the last counts, once")
    func duplicates() throws {
        let author = Author(id: 1, name: "A", context: context)
        author.books.merge([
            BookRepresentation(id: 1, title: "first", authorID: 1),
            BookRepresentation(id: 1, title: "last", authorID: 1),
        ])
        #expect(author.books.map(\.title) == ["last"])
    }

    @Test("Members without identity belong to their owner and take each other's places")
    func withoutIdentity() throws {
        let book = Book(id: 1, title: "B", context: context)
        book.chapters.merge(["1", "2", "3"].map(ChapterRepresentation.init))
        try context.save()
        let keys = book.chapters.map(\.lockstepID)
        book.chapters.merge(["1", "changed"].map(ChapterRepresentation.init))
        #expect(book.chapters.map(\.lockstepID) == Array(keys.prefix(2)))
        try context.save()
        #expect(try store.rows("SELECT heading FROM chapter ORDER BY chapters_position") == ["1", "changed"])
        book.chapters.merge(["1", "changed"].map(ChapterRepresentation.init))
        #expect(!context.hasChanges)
    }

    @Test("A member that cannot be without its owner stays")
    func required() throws {
        let country = Country(code: "DE", name: "Germany", context: context)
        City(id: 1, name: "Berlin", country: country, context: context)
        country.cities.merge([CityRepresentation(id: 2, name: "Hamburg")])
        #expect(Set(country.cities.map(\.name)) == ["Berlin", "Hamburg"])
        try context.save()
    }

    @Test("A list of identities is the exact membership; unknown ones are left out for now")
    func link() throws {
        for name in ["x", "y", "z"] { Tag(name: name, context: context) }
        let product = try #require(
            Product(representation: ProductRepresentation(id: 1, name: "P", tagIDs: ["z", "x"]), context: context))
        #expect(product.tags.wireIdentities == ["z", "x"])
        product.tags.link(to: ["x", "unknown", "y"])
        #expect(product.representation.tagIDs == ["x", "y"])
        try context.save()
        #expect(try store.rows("SELECT tag_id FROM product_tag ORDER BY tags_position") == ["x", "y"])
    }

    @Test("One to one: found and updated, replaced, or unlinked")
    func toOne() throws {
        let representation = PersonRepresentation(id: 1, name: "P", passport: PassportRepresentation(number: "1"))
        let person = try #require(Person(representation: representation, context: context))
        #expect(person.passport?.number == "1" && person == representation)
        try context.save()
        person.update(from: PersonRepresentation(id: 1, name: "P", passport: PassportRepresentation(number: "2")))
        #expect(person.passport?.number == "2")
        try context.save()
        person.update(from: PersonRepresentation(id: 1, name: "P", passport: nil))
        #expect(person.passport == nil)
        try context.save()
        // The one that was replaced is gone, as the relationship cascades; the one that was unlinked stays.
        #expect(try store.rows("SELECT number, person_id FROM passport ORDER BY 1") == ["2|NULL"])
    }

    @Test("Limits refuse a representation, those embedded in it too")
    func limits() {
        #expect(!Node.isValid(NodeRepresentation(id: 1, name: "much too long")))
        let nested = NodeRepresentation(id: 1, name: "ok", children: [NodeRepresentation(id: 2, name: "much too long")])
        #expect(!Node.isValid(nested))
        #expect(Node(representation: nested, context: context) == nil)
        #expect(Node.isValid(NodeRepresentation(id: 1, name: "10 letters")))
        #expect(!context.hasChanges)
    }

    @Test("A task is found by the server's id, and gets it without becoming another")
    func remoteIdentity() throws {
        let task = OfflineTask(title: "Made offline", context: context)
        #expect(task.wireIdentity == nil)
        try context.save()
        task.remoteID = 7
        #expect(try OfflineTask.find(wireIdentity: 7, in: context) === task)
        try context.save()
        let parent = OfflineTask(title: "Parent", context: context)
        parent.subtasks.merge([OfflineTaskRepresentation(remoteID: 7, title: "Renamed")])
        #expect(task.title == "Renamed" && task.parent === parent)
        try context.save()
        task.remoteID = 8
        #expect(try OfflineTask.find(wireIdentity: 7, in: context) == nil)
        #expect(try OfflineTask.find(wireIdentity: 8, in: context) === task)
        #expect(try store.rows("SELECT COUNT(*) FROM offline_task") == ["2"])
    }

    @Test("A task is found by the server's id if a discarded one had it, and if it is changed and gone elsewhere")
    func remoteIdentityOfAnother() async throws {
        let discarded = OfflineTask(remoteID: 7, title: "Discarded", context: context)
        context.delete(discarded)
        try await store.perform { context in
            OfflineTask(remoteID: 7, title: "Stored", context: context)
            try context.save()
        }
        let stored = try #require(try context.fetch(OfflineTask.all()).first)
        #expect(try OfflineTask.find(wireIdentity: 7, in: context) === stored)

        stored.title = "Edited"
        try await store.writer.write { try $0.execute(sql: "DELETE FROM offline_task") }
        #expect(try context.fetch(OfflineTask.all()).isEmpty)
        #expect(try OfflineTask.find(wireIdentity: 7, in: context) === stored)
    }

    @Test(
        "R8 Records that contain each other in a circle become values that contain each once",
        arguments: Seeds.some(6, of: UInt64(0)...99))
    func circle(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 1...6, using: &random)
        let nodes = (1...count).map { Node(id: $0, name: "n", context: context) }
        for (index, node) in nodes.enumerated() { node.parent = nodes[(index + 1) % count] }
        let leaves = 0..<Int.random(in: 0...4, using: &random)
        for id in leaves {
            Node(id: 100 + id, name: "leaf", parent: random.element(of: nodes), context: context)
        }
        func ids(_ value: NodeRepresentation) -> [Int] { [value.id] + (value.children ?? []).flatMap(ids) }
        let start = random.element(of: nodes)
        #expect(ids(start.representation).sorted() == nodes.map(\.id) + leaves.map { 100 + $0 })
    }
}
