import Foundation
import LockstepEvolution
import LockstepStore
import Shop
import Testing
import TestSupport
import workbench

@Suite("Full or failing disks, and the configuration of connections", .serialized)
struct DiskTests {
    /// Limits the database to this number of pages, on every connection that writes.
    private func limited(to pages: Int) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            if !database.configuration.readonly { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
        }
        return configuration
    }

    @Test("A full disk fails the save; the context keeps its changes, and the same save succeeds once there is space")
    func fullDisk() async throws {
        let folder = try Folder()
        let store = try Store(ShopSchema.self, at: .file(folder.file), configuration: limited(to: 90))
        try await store.perform { try Bookkeeping.fill($0, steps: 4) }
        var next = Bookkeeping.after(4)
        let changes = next.advance()
        try await store.perform { [next] context in
            try next.make(changes, in: context)
            let long = (1...300).map {
                ArticleComment(id: 10_000 + $0, name: "", text: String(repeating: "x", count: 900), context: context)
            }
            for _ in 1...2 {
                let error = storeError { try context.save() }
                #expect(error?.code == .diskFull)
                #expect(context.hasChanges)
                let stored = try context.count(ArticleComment.filter { $0.id >= 10_000 })
                #expect(stored == 0)
            }
            long.forEach { context.delete($0) }
            let shown = try context.find(Product.self, 1)?.stock
            #expect(shown == next.stock[1])
        }
        let kept = try await store.writer.read { (try Bookkeeping($0), try Bookkeeping.findings($0)) }
        #expect(kept.0 == Bookkeeping.after(4))
        #expect(kept.1 == [])

        // The same again, and then space is freed.
        let base = store.writer
        try await store.perform { [next] context in
            try next.make(changes, in: context)
            for number in 1...300 {
                ArticleComment(
                    id: 10_000 + number, name: "", text: String(repeating: "x", count: 900), context: context)
            }
            #expect(storeError { try context.save() }?.code == .diskFull)
            try base.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 10000") }
            try context.save()
            #expect(!context.hasChanges)
        }
        let stored = try await store.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM article_comment") }
        #expect(stored == 300 + next.comments.values.map(\.count).reduce(0, +))
    }

    @Test("If there is no space for a new store, no file is left, and it is created once there is")
    func noRoomToOpen() throws {
        let folder = try Folder()
        let error = storeError {
            _ = try Store(ShopSchema.self, at: .file(folder.file), configuration: limited(to: 3))
        }
        #expect(error?.code == .diskFull)
        #expect(error?.record == folder.file.path)
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        #expect(try store.writer.read { try Product.fetchCount($0) } == 0)
    }

    @Test("A write rejected by the system is an error; the same save succeeds once it is accepted")
    func failingWrites() async throws {
        let folder = try Folder()
        try await folder.makeShop()
        let child = try ChildProcess("fill", folder.file.path, "65536")
        #expect(child.lines() == ["inputOutput changes true", "saved 200"])
        #expect(child.finish())
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        try store.checkIntegrity()
        #expect(try await store.writer.read { try ArticleComment.fetchCount($0) } == 200)
    }

    // MARK: Copies and checks

    @Test("A backup is a copy of the store, even while another process writes; it never replaces a file")
    func backup() async throws {
        let folder = try Folder()
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        try await store.perform { try Bookkeeping.fill($0, steps: 6) }
        let copy = folder.url.appendingPathComponent("copy.sqlite")
        try store.backup(to: copy)
        #expect(storeError { try store.backup(to: copy) }?.code == .cannotOpen)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
            !$0.hasPrefix("shop")
        }
        #expect(names == ["copy.sqlite"])
        let copied = try Store(ShopSchema.self, at: .file(copy))
        #expect(try await copied.writer.read { try Bookkeeping($0) } == Bookkeeping.after(6))
        try copied.checkIntegrity()
        let missing = folder.url.appendingPathComponent("none/copy.sqlite")
        #expect(storeError { try store.backup(to: missing) }?.code == .cannotOpen)
    }

    @Test("A check finds a dangling foreign key")
    func foreignKeys() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let store = try Store(Chain.self, at: .inMemory, configuration: configuration)
        try store.checkIntegrity()
        try store.writer.write { try $0.execute(sql: "INSERT INTO link VALUES (1, 9)") }
        #expect(storeError { try store.checkIntegrity() }?.code == .missingReference)
    }

    private enum Chain: StoreSchema {
        static let name = "Chain"
        static let version = 1
        static let entities: [any Model.Type] = []
        static let fingerprint = "chain"
        static let structure = tables.json
        static let compiled = CompiledSchema(SchemaPlan(tables))

        private static let tables: SchemaStructure = {
            let next = RelationshipStructure(
                name: "next", destination: "Link", isToMany: false, isOptional: true,
                storage: .foreignKey(columns: ["next_id"], position: nil))
            let link = EntityStructure(
                name: "Link", table: "link", identity: .attributes(["id"]),
                attributes: [AttributeStructure(name: "id", column: "id", type: .scalar(.int))], relationships: [next])
            return SchemaStructure(name: "Chain", entities: [link])
        }()
    }

    // MARK: Configuration

    @Test("The app's preparation runs first on every connection, before any statement of the store")
    func preparation() async throws {
        let folder = try Folder()
        let log = Log()
        var configuration = Configuration()
        configuration.label = "Shop"
        configuration.maximumReaderCount = 2
        configuration.qos = .utility
        configuration.foreignKeysEnabled = false
        configuration.journalMode = .wal
        configuration.prepareDatabase { database in
            // An encrypted database cannot be read before its key is given; `recursive_triggers` is set after that.
            let triggers = try Int.fetchOne(database, sql: "PRAGMA recursive_triggers") ?? -1
            log.add("\(database.configuration.readonly) \(triggers)")
        }
        let store = try Store(ShopSchema.self, at: .file(folder.file), configuration: configuration)
        #expect(store.writer.configuration.label == "Shop")
        #expect(store.writer.configuration.maximumReaderCount == 2)
        let pragmas = ["journal_mode", "synchronous", "recursive_triggers", "foreign_keys"]
        let values = try await store.writer.write { database in
            try pragmas.map { try String.fetchOne(database, sql: "PRAGMA \($0)") ?? "" }
        }
        #expect(values == ["wal", "1", "1", "0"])
        _ = try await store.writer.read { try Int.fetchOne($0, sql: "SELECT 1") }
        #expect(Set(log.lines) == ["false 0", "true 0"])
    }

    @Test("An error of the app's preparation is reported as the cause, and no file is created")
    func failingPreparation() throws {
        struct NoKey: Error {}
        let folder = try Folder()
        var configuration = Configuration()
        configuration.prepareDatabase { _ in throw NoKey() }
        let error = storeError { _ = try Store(ShopSchema.self, at: .file(folder.file), configuration: configuration) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.underlyingError is NoKey)
    }

    @Test("Invalid options are rejected with a reason")
    func refusedOptions() throws {
        var none = Configuration()
        none.maximumReaderCount = 0
        #expect(storeError { _ = try Store(ShopSchema.self, at: .inMemory, configuration: none) }?.code == .cannotOpen)
        var reading = Configuration()
        reading.readonly = true
        #expect(storeError { _ = try Store(ShopSchema.self, at: .inMemory, configuration: reading) }?.code == .readOnly)
        let folder = try Folder()
        try Data().write(to: folder.file)
        let empty = storeError { _ = try Store(ShopSchema.self, at: .file(folder.file), configuration: reading) }
        #expect(empty?.code == .notAStore)
        #expect(try folder.contents()["shop.sqlite"] == Data())
        var journal = Configuration()
        journal.journalMode = .wal
        _ = try Store(ShopSchema.self, at: .inMemory, configuration: journal)
    }

    @Test("A closed store reports that it is closed")
    func closed() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try store.close()
        try await store.perform { context in
            #expect(storeError { _ = try context.fetch(Product.all()) }?.code == .closed)
        }
    }

    /// `@unchecked`: the lines are only used under the lock.
    private final class Log: @unchecked Sendable {
        private let lock = NSLock()
        private var stored: [String] = []
        var lines: [String] { lock.withLock { stored } }
        func add(_ line: String) { lock.withLock { stored.append(line) } }
    }
}
