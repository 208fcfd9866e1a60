import Foundation
import GRDB
@testable import LockstepStore
import StoreSamples
import Testing
import TestSupport

@Suite("Several contexts and SQL, at random: afterwards all agree with the store") @MainActor
struct AgreementTests {
    @Test(
        "Objects without unsaved changes are the store's rows, and both ends of links agree",
        arguments: Seeds.some(8, of: 1...20))
    func agreement(_ seed: UInt64) throws {
        var play = try Play(seed: seed)
        for round in 1...40 {
            for _ in 1...6 { try play.act() }
            try play.check("seed \(seed), round \(round)")
        }
        try play.finish("seed \(seed), end")
    }
}

/// Contexts of one store, and what was done to them.
@MainActor
private struct Play {
    private let store: Store
    private let players: [Player]
    private var random: SeededRandom
    private var lastID = 100
    /// What was done, for whoever looks into a failure.
    private var diary: [String] = []

    /// A context with what an app would hold of it.
    final class Player {
        let context: ManagedObjectContext
        var authors: [Author] = []
        var books: [Book] = []
        var chapters: [Chapter] = []
        var products: [Product] = []
        var tags: [Tag] = []
        var nodes: [Node] = []

        init(_ context: ManagedObjectContext) { self.context = context }

        var objects: [ManagedObject] { authors + books + chapters + products + tags + nodes }

        func fetch() throws {
            authors = try merged(authors)
            books = try merged(books)
            chapters = try merged(chapters)
            products = try merged(products)
            tags = try merged(tags)
            nodes = try merged(nodes)
        }

        private func merged<Object: Model>(_ held: [Object]) throws -> [Object] {
            let known = Set(held.map { ObjectIdentifier($0) })
            let found = try context.fetch(Object.all())
            return held.filter { $0.recordState != .deleted } + found.filter { !known.contains(ObjectIdentifier($0)) }
        }
    }

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        store = try Store(LibrarySchema.self, at: .inMemory)
        let main = store.mainContext
        players = [Player(main), Player(ManagedObjectContext(main.base)), Player(ManagedObjectContext(main.base))]
        players[1].context.mergePolicy = .storeWins
        try store.run(
            """
            INSERT INTO author VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO book VALUES (1, 'x', 1, NULL, 1);
            INSERT INTO book VALUES (2, 'y', 1, NULL, 1), (3, 'z', 1, NULL, 2); INSERT INTO product VALUES (1, 'p');
            INSERT INTO product VALUES (2, 'q'); INSERT INTO tag VALUES ('t', '1'), ('u', '2'), ('v', '3');
            INSERT INTO product_tag VALUES (1, 't', 0), (1, 'u', 1), (2, 't', 0); INSERT INTO node VALUES (1, 'n', NULL);
            INSERT INTO chapter VALUES (1, 'i', 1, 0), (2, 'j', 1, 1), (3, 'k', 2, 0), (4, 'l', 1, 2);
            INSERT INTO node VALUES (2, 'm', 1), (3, 'o', 2)
            """)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func one<Object: ManagedObject>(_ objects: [Object]) -> Object? {
        objects.filter { $0.recordState != .deleted }.randomElement(using: &random)
    }

    private mutating func newID() -> Int {
        lastID += 1
        return lastID
    }

    // MARK: Acting

    mutating func act() throws {
        let place = number(0..<players.count)
        let player = players[place]
        let action = number(0..<20)
        diary.append("\(place): \(action)")
        switch action {
        case 0...2: try sql()
        case 3, 4: try player.context.save()
        case 5: player.context.rollback()
        case 6, 7: try player.fetch()
        case 8: insert(player)
        case 9: delete(player)
        case 10...13: change(player)
        default: link(player)
        }
    }

    private mutating func sql() throws {
        let id = number(1..<5), other = number(1..<4), tag = ["t", "u", "v"][number(0..<3)]
        let statements = [
            "UPDATE book SET title = 's\(newID())' WHERE id = \(id)",
            "UPDATE book SET author_id = \(other) WHERE id = \(id)",
            "UPDATE chapter SET book_id = \(other), chapters_position = 9 WHERE lockstep_id = \(id)",
            "DELETE FROM chapter WHERE lockstep_id = \(id)", "DELETE FROM book WHERE id = \(id)",
            "DELETE FROM author WHERE id = \(other)", "DELETE FROM tag WHERE name = '\(tag)'",
            "INSERT INTO book VALUES (\(newID()), 's', 1, NULL, \(other))",
            "INSERT OR IGNORE INTO product_tag VALUES (\(number(1..<3)), '\(tag)', 7)",
            "DELETE FROM product_tag WHERE tag_id = '\(tag)'",
            "UPDATE product_tag SET tags_position = 5 - tags_position",
            "UPDATE node SET parent_id = NULL WHERE id = \(id)", "REPLACE INTO author VALUES (\(other), 'r\(newID())')",
            "UPDATE author SET name = 'u'", "REPLACE INTO product VALUES (\(number(1..<3)), 'r')",
        ]
        let statement = statements[number(0..<statements.count)]
        diary.append(statement)
        guard chance(80) else {
            try? store.writer.write { database in
                try database.execute(sql: statement)
                throw CancellationError()
            }
            return
        }
        try store.run(statement)
    }

    private mutating func insert(_ player: Player) {
        let context = player.context
        switch number(0..<5) {
        case 0: player.authors.append(Author(id: newID(), name: "i", context: context))
        case 1: player.books.append(Book(id: newID(), title: "i", author: one(player.authors), context: context))
        case 2: player.chapters.append(Chapter(heading: "i\(newID())", book: one(player.books), context: context))
        case 3: player.tags.append(Tag(name: "i\(newID())", context: context))
        default: player.nodes.append(Node(id: newID(), name: "i", parent: one(player.nodes), context: context))
        }
    }

    private mutating func delete(_ player: Player) {
        guard chance(50), let object = one(player.objects) else { return }
        player.context.delete(object)
    }

    private mutating func change(_ player: Player) {
        switch number(0..<4) {
        case 0: one(player.authors)?.name = "c\(newID())"
        case 1: one(player.books)?.title = "c\(newID())"
        case 2: one(player.books)?.year = newID()
        default: one(player.tags)?.weight = Decimal(newID())
        }
    }

    private mutating func link(_ player: Player) {
        let author = one(player.authors), book = one(player.books), product = one(player.products)
        switch number(0..<9) {
        case 0: book?.author = chance(20) ? nil : author
        case 1: if let book { author?.books.insert(book) }
        case 2: if let author, let book = author.books.randomElement(using: &random) { author.books.remove(book) }
        case 3: one(player.chapters)?.book = book
        case 4: if let chapter = one(player.chapters) { book?.chapters.insert(chapter, at: number(0..<3)) }
        case 5: if let tag = one(player.tags) { product?.tags.insert(tag, at: number(0..<3)) }
        case 6: if let product { one(player.tags)?.products.insert(product) }
        case 7: if let product, let tag = product.tags.randomElement(using: &random) { product.tags.remove(tag) }
        default: one(player.nodes)?.parent = nil
        }
    }

    // MARK: Checking

    mutating func check(_ place: String) throws {
        let place = "\(place) after \(diary.suffix(30))"
        for player in players {
            _ = try player.context.count(Author.all())
            for object in player.objects { try compare(object, place) }
            checkEnds(player, place)
            if !player.context.hasChanges { try checkLinks(player, place) }
        }
    }

    mutating func finish(_ place: String) throws {
        for player in players { try player.context.save() }
        for player in players { try player.fetch() }
        try check(place)
        for player in players { #expect(!player.context.hasChanges, "\(place)") }
    }

    /// An object without unsaved changes has what its row has; one that is gone is not found.
    private func compare(_ object: ManagedObject, _ place: String) throws {
        let plan = object.plan
        let row = try store.writer.read { database in
            try Row.fetchOne(
                database, sql: plan.findSQL, arguments: StatementArguments(object.recordKey.values))
        }
        switch object.recordState {
        case .stored:
            let values = row.map { Array($0.databaseValues) }
            #expect(values == plan.columns.indices.map(object.storedValue), "\(place): \(plan.name)")
        case .changed:
            guard let row, object.context.mergePolicy == .storeWins else { return }
            for (column, value) in row.databaseValues.enumerated() where !object.hasChanged(column) {
                #expect(value == object.storedValue(column), "\(place): \(plan.name)")
            }
        case .deleted:
            let isPending = object.context.unsaved.deleted.contains { $0 === object }
            if !isPending, row != nil {
                // It came back since, as another object.
                #expect(object.records?.registeredObject(of: object.recordKey) !== object, "\(place): \(plan.name)")
            }
        case .inserted, .missing: break
        }
    }

    /// Whatever is unsaved, both ends say the same.
    private func checkEnds(_ player: Player, _ place: String) {
        let authors = player.authors.filter { $0.recordState != .deleted }
        let books = player.books.filter { $0.recordState != .deleted }
        for author in authors {
            for book in author.books { #expect(book.author === author, "\(place): author of \(book.id)") }
            for book in books where book.author === author {
                // A record that was deleted elsewhere is a member again when it is saved again.
                let isMember = author.books.contains(book)
                #expect(isMember || !isStored(book), "\(place): books of \(author.id) lack \(book.id)")
            }
        }
        for product in player.products where product.recordState != .deleted {
            for tag in player.tags where tag.recordState != .deleted {
                #expect(
                    product.tags.contains(tag) == tag.products.contains(product),
                    "\(place): \(product.id) and \(tag.name)")
            }
        }
    }

    private func isStored(_ book: Book) -> Bool {
        book.recordState == .inserted || (try? store.rows("SELECT 1 FROM book WHERE id = \(book.id)").isEmpty) == false
    }

    /// Nothing is unsaved: relationships are what the store has, in its order.
    private func checkLinks(_ player: Player, _ place: String) throws {
        for author in player.authors where author.recordState == .stored {
            let stored = try store.rows("SELECT id FROM book WHERE author_id = \(author.id) ORDER BY id")
            #expect(author.books.map(\.id).sorted().map(String.init) == stored, "\(place): books of \(author.id)")
        }
        for book in player.books where book.recordState == .stored {
            let stored = try store.rows(
                "SELECT chapters_position, lockstep_id FROM chapter WHERE book_id = \(book.id) ORDER BY 2")
            let own = book.chapters.map { "\($0.chaptersPosition.map(String.init) ?? "NULL")|\($0.identity)" }
            #expect(Set(own) == Set(stored) && own.count == stored.count, "\(place): chapters of \(book.id)")
            let places = book.chapters.map { $0.chaptersPosition ?? .max }
            #expect(places == places.sorted(), "\(place): order of \(book.id)")
        }
        for product in player.products where product.recordState == .stored {
            let stored = try store.rows(
                """
                SELECT tag_id, tags_position FROM product_tag JOIN tag ON name = tag_id \
                WHERE product_id = \(product.id)
                """)
            let places = Dictionary(
                stored.map { $0.split(separator: "|") }.map { (String($0[0]), Int($0[1]) ?? .max) },
                uniquingKeysWith: { first, _ in first })
            #expect(Set(product.tags.map(\.name)) == Set(places.keys), "\(place): tags of \(product.id)")
            let order = product.tags.map { places[$0.name] ?? .max }
            #expect(order == order.sorted(), "\(place): order of the tags of \(product.id)")
        }
    }
}
