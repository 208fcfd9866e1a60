import Foundation
import GRDB
@testable import LockstepStore
import LockstepSystem
import StoreSamples
import TestSupport
import Testing

@Suite("A context shows what was committed") @MainActor
struct RefreshTests {
    @Test("A change, a delete and a new record, made by SQL", arguments: Place.allCases)
    func sql(_ place: Place) async throws {
        try await place.withStore(LibrarySchema.self) { store in
            let context = store.mainContext
            let authors = (1...2).map { Author(id: $0, name: "\($0)", context: context) }
            let book = Book(id: 1, title: "A", author: authors[0], context: context)
            try await context.save()
            #expect(authors.map(\.books.count) == [1, 0])
            try await store.writer.write { database in
                try database.execute(sql: "UPDATE book SET title = 'B', author_id = 2")
                try database.execute(sql: "DELETE FROM author WHERE id = 1; INSERT INTO author VALUES (3, 'C')")
            }
            #expect(try await soon { book.title == "B" }, "waited for the book to be read again")
            #expect(book.author === authors[1])
            #expect(authors[0].recordState == .deleted && authors[0].name == "1" && authors[0].books.isEmpty)
            #expect(authors[1].books.first === book)
            #expect(try Author.find(3, in: context)?.name == "C")
        }
    }

    @Test("Records of every kind of key, by the batch")
    func keys() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let authors = (1...200).map { Author(id: $0, name: "A", context: context) }
        let tags = (1...130).map { Tag(name: "t'\u{1}\"é\($0)", context: context) }
        let seats = (1...70).map { Seat(row: "r\($0)", number: $0, context: context) }
        try context.save()
        try store.run(
            """
            UPDATE author SET name = 'B'; UPDATE tag SET weight = '2'; UPDATE seat SET price = 3;
            DELETE FROM author WHERE id % 3 = 0; DELETE FROM seat WHERE number = 5
            """)
        _ = try context.count(Node.all())
        #expect(authors.allSatisfy { $0.recordState == ($0.id % 3 == 0 ? .deleted : .stored) })
        #expect(authors.allSatisfy { $0.recordState == .deleted || $0.name == "B" })
        #expect(tags.allSatisfy { $0.weight == 2 })
        #expect(seats.allSatisfy { $0.recordState == .deleted ? $0.number == 5 : $0.price == 3 })
    }

    @Test("A record that was deleted and inserted again is the same object")
    func reinserted() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let author = Author(id: 1, name: "A", context: context)
        try context.save()
        try store.run("DELETE FROM author; INSERT INTO author VALUES (1, 'B')")
        #expect(try Author.find(1, in: context) === author)
        #expect(author.name == "B" && author.recordState == .stored)
        try store.run("UPDATE author SET id = 2")
        #expect(try Author.find(1, in: context) == nil)
        #expect(author.recordState == .deleted)
        #expect(try Author.find(2, in: context)?.name == "B")
    }

    @Test("A record that was deleted here and inserted again elsewhere is another object")
    func insertedElsewhere() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let author = Author(id: 1, name: "A", context: context)
        try context.save()
        context.delete(author)
        try context.save()
        try store.run("INSERT INTO author VALUES (1, 'B')")
        #expect(try Author.find(1, in: context)?.name == "B")
        #expect(try context.fetch(Author.all()).map(\.name) == ["B"])
        #expect(author.name == "A" && author.recordState == .deleted)
    }

    @Test("What triggers do beyond a context's own save is read again; nothing else is")
    func effects() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        try store.run(
            """
            CREATE TRIGGER shout AFTER UPDATE OF name ON author WHEN NEW.name <> upper(NEW.name) BEGIN
                UPDATE author SET name = upper(NEW.name) WHERE id = NEW.id;
                UPDATE book SET title = NEW.name WHERE author_id = NEW.id;
                DELETE FROM node;
            END
            """)
        let author = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "A", author: author, context: context)
        let node = Node(id: 1, name: "N", context: context)
        try context.save()
        author.name = "b"
        try context.save()
        #expect(author.name == "B" && book.title == "b" && node.recordState == .deleted)
        book.title = "c"
        try context.save()
        #expect(book.title == "c")
    }

    @Test("A record that another process has changed is read again when asked")
    func otherProcess() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let store = try Store(LibrarySchema.self, at: .file(url))
            let context = store.mainContext
            let author = Author(id: 1, name: "A", context: context)
            let gone = Author(id: 2, name: "B", context: context)
            try await context.save()
            #expect(author.books.isEmpty)
            let log = ChangeLog()
            context.observers.add(log)
            let process = try DatabaseQueue(path: url.path)
            try await process.write { database in
                try database.execute(sql: "UPDATE author SET name = 'X' WHERE id = 1; DELETE FROM author WHERE id = 2")
                try database.execute(sql: "INSERT INTO book (id, title, author_id) VALUES (1, 'B', 1)")
            }
            author.name = "mine"
            try context.refresh(author)
            #expect(author.name == "mine")
            try context.refresh(author, keepingChanges: false)
            #expect(author.name == "X" && gone.recordState == .stored)
            try context.refreshAll()
            #expect(gone.recordState == .deleted && author.books.map(\.title) == ["B"])
            #expect(log.take().count == LibrarySchema.entities.count)
            try process.close()
        }
    }

    @Test("A row that cannot be read is told once, and hinders nothing else")
    func unreadable() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let authors = (1...2).map { Author(id: $0, name: "A", context: context) }
        let book = Book(id: 1, title: "A", context: context)
        try context.save()
        try store.run("UPDATE author SET name = CASE id WHEN 1 THEN x'00' ELSE 'B' END; UPDATE book SET title = 'B'")
        #expect(storeError { _ = try context.count(Author.all()) }?.code == .unreadableValue)
        #expect(authors[1].name == "B" && book.title == "B")
        #expect(try context.count(Author.all()) == 2)
        #expect(storeError { _ = try context.fetch(Author.all()) }?.code == .unreadableValue)
        try store.run("UPDATE author SET name = 'C' WHERE id = 1")
        #expect(try context.fetch(Author.order(sql: "id")).map(\.name) == ["C", "B"])
    }

    @Test("A fetch meanwhile shows no object older than the row that selected it")
    func inFlight() async throws {
        try await withFolder { folder in
            let store = try Store(LibrarySchema.self, at: .file(folder.appendingPathComponent("store.sqlite")))
            try store.run("INSERT INTO author VALUES (1, '0')")
            let writer = store.writer
            let isDone = Locked(false)
            let writing = Task.detached {
                // Even if it fails: otherwise, the reads would not end.
                defer { isDone.withLock { $0 = true } }
                for index in 1...400 {
                    try await writer.write { try $0.execute(sql: "UPDATE author SET name = '\(index)'") }
                }
            }
            let reads = try await store.perform { context in
                let author = try Author.find(1, in: context)
                var reads = 0
                while !isDone.withLock({ $0 }) {
                    let last = Int(author?.name ?? "") ?? -1
                    // Selects by what the row has now: the object must have it too.
                    let found = try context.fetch(Author.filter(sql: "CAST(name AS INTEGER) > ?", arguments: [last]))
                    if let object = found.first {
                        guard (Int(object.name) ?? -1) > last else { return -1 }
                    }
                    reads += 1
                }
                return reads
            }
            try await writing.value
            #expect(reads > 0)
        }
    }

    @Test("Known records that nobody has changed are not decoded again")
    func fresh() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let author = Author(id: 1, name: "A", context: context)
        try context.save()
        // As if it were unsaved, without a trace: a decoded row would overwrite it.
        author.isLoading = true
        author.name = "untouched"
        author.isLoading = false
        try store.run("INSERT INTO author VALUES (2, 'B')")
        Book(id: 1, title: "B", context: context)
        try context.save()
        #expect(try context.fetch(Author.all()).map(\.name) == ["untouched", "B"])
    }

    @Test("A closed store says so, and its contexts go on showing what they have")
    func closed() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let author = Author(id: 1, name: "A", context: context)
        try context.save()
        try store.run("UPDATE author SET name = 'B'")
        try store.close()
        #expect(storeError { _ = try context.fetch(Author.all()) } != nil)
        #expect(storeError { try context.refreshAll() } != nil)
        #expect(author.name == "A")
    }
}
