import Foundation
import GRDB
@testable import LockstepStore
import LockstepSystem
import StoreSamples
import TestSupport
import Testing

@Suite("The connections that contexts read with") @MainActor
struct ContextReaderTests {
    /// The labels of the connections that were opened.
    private let opened = Locked<[String]>([])

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { [opened] database in
            opened.withLock { $0.append(database.configuration.label ?? "") }
        }
        return configuration
    }

    private var readers: Int { opened.withLock { labels in labels.count { $0.hasSuffix(".context") } } }

    private func withLibrary(
        _ configuration: Configuration, _ body: @MainActor (Store) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let store = try Store(
                LibrarySchema.self, at: .file(folder.appendingPathComponent("store.sqlite")),
                configuration: configuration)
            for id in 1...3 { _ = Author(id: id, name: "Author \(id)", context: store.mainContext) }
            try await store.mainContext.save()
            try await body(store)
        }
    }

    @Test("The main context reads with one connection, and all contexts of `perform` with another one")
    func kept() async throws {
        try await withLibrary(configuration) { store in
            for id in 1...3 {
                store.mainContext.rollback()
                #expect(try store.mainContext.count(Author.all()) == 3)
                let name = try await store.perform { try $0.find(Author.self, id)?.name }
                #expect(name == "Author \(id)")
            }
            let child = store.mainContext.makeChild()
            #expect(try child.find(Author.self, 2) != nil)
            #expect(readers == 2)
        }
    }

    @Test("A context for which no connection can be opened reads with those of the store")
    func refused() async throws {
        var configuration = configuration
        configuration.prepareDatabase { database in
            if database.configuration.label?.hasSuffix(".context") == true { throw DatabaseError(message: "refused") }
        }
        try await withLibrary(configuration) { store in
            let count = try await store.perform { try $0.fetch(Author.all()).count }
            #expect(count == 3)
            #expect(readers > 0)
        }
    }

    @Test("After the store is closed, no connection of a context has the file open, and reading throws")
    func closed() async throws {
        try await withLibrary(configuration) { store in
            #expect(try store.mainContext.count(Author.all()) == 3)
            let count = try await store.perform { try $0.count(Author.all()) }
            #expect(count == 3)
            try store.close()
            expectClosed(store)
            await #expect(throws: StoreError.self) { try await store.perform { try $0.count(Author.all()) } }
            #expect(readers == 2)
            try store.close()
        }
    }

    @Test("So does reading in several statements, and reading a store in memory")
    func closedInMemory() async throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        Author(id: 1, name: "A", context: store.mainContext)
        try await store.mainContext.save()
        try store.close()
        expectClosed(store)
    }

    private func expectClosed(_ store: Store) {
        let context = store.mainContext
        #expect(throws: StoreError.self) { try context.count(Author.all()) }
        #expect(throws: StoreError.self) { try context.find(Author.self, 7) }
        #expect(throws: StoreError.self) { try context.fetch(Author.self, sql: "SELECT * FROM author") }
        #expect(throws: StoreError.self) { try context.first(Author.self, sql: "SELECT * FROM author") }
        #expect(throws: StoreError.self) { try context.representations(Author.all()) }
    }

    @Test("A store that cannot be closed because it is in use goes on working")
    func inUse() async throws {
        try await withLibrary(configuration) { store in
            #expect(try store.mainContext.count(Author.all()) == 3)
            let statement = try await store.writer.writeWithoutTransaction { database in
                Unchecked(try database.makeStatement(sql: "SELECT * FROM author"))
            }
            #expect(throws: StoreError.self) { try store.close() }
            #expect(try store.mainContext.fetch(Author.self, sql: "SELECT * FROM author").count == 3)
            withExtendedLifetime(statement) {}
        }
    }

    /// A statement that is only kept.
    private struct Unchecked: @unchecked Sendable {
        let value: Statement

        init(_ value: Statement) { self.value = value }
    }

    @Test("Of many contexts, four have connections of their own")
    func limited() async throws {
        try await withLibrary(configuration) { store in
            let scratches = (1...10).map { _ in store.mainContext.makeScratch() }
            for scratch in scratches {
                let author = try scratch.find(Author.self, 2)
                #expect(author != nil)
            }
            #expect(try store.mainContext.count(Author.all()) == 3)
            #expect(readers == 4)
        }
    }

    @Test("A store that goes away without being closed leaves a complete file")
    func released() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let copy = folder.appendingPathComponent("copy.sqlite")
            weak var base: StoreBase?
            do {
                let store = try Store(LibrarySchema.self, at: .file(url))
                base = store.base
                try await store.perform { context in
                    Author(id: 1, name: "A", context: context)
                    try context.save()
                    _ = try context.count(Author.all())
                }
            }
            #expect(try await soon { base == nil }, "waited for the store to go away")
            try FileManager.default.copyItem(at: url, to: copy)
            let queue = try DatabaseQueue(path: copy.path)
            let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM author") }
            #expect(count == 1)
        }
    }

    @Test("A context sees tables and views of the app that were changed after it has read them")
    func changedView() async throws {
        try await withLibrary(configuration) { store in
            let read = { try store.mainContext.fetch(Author.self, sql: "SELECT * FROM named").map(\.id) }
            try await store.writer.write { database in
                try database.execute(sql: "CREATE VIEW named AS SELECT * FROM author WHERE id > 2")
            }
            let ids = try read()
            #expect(ids == [3])
            try await store.writer.write { database in
                try database.execute(
                    sql: "DROP VIEW named; CREATE VIEW named AS SELECT 0 AS other, * FROM author WHERE id < 2")
            }
            let newIDs = try read()
            #expect(newIDs == [1])
            let cached = SQLRequest<Author>(sql: "SELECT * FROM named", cached: true)
            #expect(try store.mainContext.fetch(cached).map(\.id) == [1])
            try await store.writer.write { database in
                try database.execute(
                    sql: "DROP VIEW named; CREATE VIEW named AS SELECT name, id FROM author WHERE id > 1")
            }
            #expect(try store.mainContext.fetch(cached).map(\.id).sorted() == [2, 3])
        }
    }
}
