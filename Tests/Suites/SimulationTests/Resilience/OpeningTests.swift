import Foundation
import LockstepStore
import Shop
import Testing
import TestSupport
import workbench

@Suite("Opening: obstacles", .serialized)
struct OpeningTests {
    @Test("A location where no store can be opened is reported with the reason")
    func places() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
        try Data("a file".utf8).write(to: folder.url.appendingPathComponent("notes"))
        let cases: [(URL, String)] = [
            (folder.file, "the location is a folder"),
            (folder.url.appendingPathComponent("missing/shop.sqlite"), "its folder does not exist"),
            (folder.url.appendingPathComponent("notes/shop.sqlite"), "the path of its folder is a file"),
            (try #require(URL(string: "https://example.com/shop.sqlite")), "the location is not a file URL"),
        ]
        for (url, reason) in cases {
            let error = storeError { _ = try Store(ShopSchema.self, at: .file(url)) }
            #expect(error?.code == .cannotOpen)
            #expect(error?.reason == reason)
            #expect(error?.operation == "opening the store")
            #expect(error?.record == (url.isFileURL ? url.path : url.absoluteString))
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["notes", "shop.sqlite"])
    }

    @Test("A link to a store opens that store; a dangling link creates it at its destination")
    func links() async throws {
        let folder = try Folder()
        let link = folder.url.appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file)
        for _ in 1...2 {
            let store = try Store(ShopSchema.self, at: .file(link))
            try await store.perform { context in
                guard try context.count(Product.all()) == 0 else { return }
                Bookkeeping.open(in: context)
                try context.save()
            }
            try store.close()
        }
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        #expect(try await store.writer.read { try Bookkeeping($0) } == Bookkeeping.opened)
    }

    @Test("An empty file with a nonempty journal was truncated, and is unchanged")
    func cutToNothing() async throws {
        let folder = try Folder()
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        try await store.perform { try Bookkeeping.fill($0, steps: 1) }
        let crashed = try Folder()
        try Data().write(to: crashed.file)
        try FileManager.default.copyItem(atPath: folder.file.path + "-wal", toPath: crashed.file.path + "-wal")
        let before = try crashed.contents()
        #expect(storeError { _ = try Store(ShopSchema.self, at: .file(crashed.file)) }?.code == .damaged)
        #expect(try crashed.contents() == before)
    }

    @Test("A damaged header or a truncated file is rejected or found on reading, and is unchanged")
    func damagedHeader() async throws {
        let folder = try Folder()
        try await folder.makeShop(steps: 5)
        let whole = try Data(contentsOf: folder.file)
        let damages: [(String, (inout Data) -> Void, Set<StoreError.Code>)] = [
            ("magic", { $0[3] = 0 }, [.notADatabase]),
            ("page size", { $0[16] = 7 }, [.notADatabase]),
            ("read version", { $0[19] = 9 }, [.notADatabase]),
            ("schema format", { $0[47] = 99 }, [.damaged]),
            ("table of contents", { $0.replaceSubrange(100..<140, with: repeatElement(0xEE, count: 40)) }, [.damaged]),
            ("cut in the first page", { $0 = $0.prefix(700) }, [.notADatabase, .damaged]),
            ("one page", { $0 = $0.prefix(4096) }, [.damaged]),
            ("half", { $0 = $0.prefix($0.count / 8192 * 4096) }, [.damaged]),
        ]
        for (name, damage, codes) in damages {
            let damaged = try Folder()
            var data = whole
            damage(&data)
            try data.write(to: damaged.file)
            let error = storeError {
                let store = try Store(ShopSchema.self, at: .file(damaged.file))
                defer { try? store.close() }
                try store.checkIntegrity()
            }
            #expect(error.map { codes.contains($0.code) } == true, "\(name): \(String(describing: error))")
            #expect(error?.record == damaged.file.path)
            if name != "half" && name != "one page" { #expect(try Data(contentsOf: damaged.file) == data, "\(name)") }
        }
    }

    @Test("Damage in the middle is found when it is read, by fetches, relationships and saves, and by a check")
    func damagedPage() async throws {
        let folder = try Folder()
        try await folder.makeShop(steps: 30)
        let root = try await {
            let store = try Store(ShopSchema.self, at: .file(folder.file))
            defer { try? store.close() }
            return try await store.writer.read { database in
                try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'article_comment'")
                    ?? 0
            }
        }()
        var data = try Data(contentsOf: folder.file)
        data.replaceSubrange((root - 1) * 4096..<(root - 1) * 4096 + 200, with: repeatElement(0x55, count: 200))
        try data.write(to: folder.file)

        let store = try Store(ShopSchema.self, at: .file(folder.file))
        #expect(storeError { try store.checkIntegrity() }?.code == .damaged)
        try await store.perform { context in
            let fetching = storeError { _ = try context.fetch(ArticleComment.all()) }
            #expect(fetching?.code == .damaged)
            // A relationship cannot throw: the next save does.
            let article = try #require(try context.first(Article.filter { $0.id > 0 }))
            _ = article.comments.count
            article.title = "changed"
            let saving = storeError { try context.save() }
            #expect(saving?.code == .damaged)
            #expect(context.hasChanges && article.title == "changed")
            // The intact part can still be read and written.
            try context.save()
            let stock = try context.fetch(Product.all()).map(\.stock).reduce(0, +)
            #expect(stock == Bookkeeping.products.count * Bookkeeping.stockOfEach)
        }
    }

    @Test("Whatever bytes are flipped on disk, the store throws its errors and never stops the process")
    func randomDamage() async throws {
        let folder = try Folder()
        try await folder.makeShop(steps: 10)
        let whole = try Data(contentsOf: folder.file)
        var random = SeededRandom(seed: 11)
        var codes: [StoreError.Code: Int] = [:]
        for _ in 1...120 {
            var data = whole
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                // Mostly where SQLite keeps its own numbers.
                let page = Int.random(in: 0..<whole.count / 4096, using: &random) * 4096
                let place = page + Int.random(in: 0..<(Bool.random(using: &random) ? 64 : 4096), using: &random)
                data[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            let damaged = try Folder()
            try data.write(to: damaged.file)
            do {
                let store = try Store(ShopSchema.self, at: .file(damaged.file))
                try await store.perform { context in
                    _ = try Bookkeeping(context)
                    for article in try context.fetch(Article.all()) { context.delete(article) }
                    Tag(id: 99, name: "new", context: context)
                    try context.save()
                }
            } catch let error as StoreError { codes[error.code, default: 0] += 1 }
        }
        #expect(codes[.damaged, default: 0] > 10)
        // If the text of a trigger is damaged, SQLite finds an error in its SQL.
        #expect(codes[.database, default: 0] < codes[.damaged, default: 0] / 4, "\(codes)")
    }

    // MARK: Locked by others

    /// Waits for other processes only briefly.
    private func openWithoutPatience(_ folder: Folder) throws -> Store {
        var configuration = Configuration()
        configuration.busyMode = .timeout(0.05)
        return try Store(ShopSchema.self, at: .file(folder.file), configuration: configuration)
    }

    @Test("A store locked by another process is busy after the given time, and opens once it is released")
    func locked() async throws {
        let folder = try Folder()
        try await folder.makeShop()
        let child = try ChildProcess("lock", folder.file.path, "exclusive")
        #expect(child.line() == "locked")
        let error = storeError { _ = try openWithoutPatience(folder) }
        #expect(error?.code == .busy)
        #expect(error?.record == folder.file.path)
        #expect(child.finish())
        let found = try await openWithoutPatience(folder).writer.read { try Bookkeeping($0) }
        #expect(found == Bookkeeping.opened)
    }

    @Test("While another process writes, reads continue and a save is busy; later the same save succeeds")
    func writtenByAnother() async throws {
        let folder = try Folder()
        try await folder.makeShop()
        let store = try openWithoutPatience(folder)
        let child = try ChildProcess("lock", folder.file.path)
        #expect(child.line() == "locked")
        try await store.perform { context in
            let product = try #require(try context.find(Product.self, 1))
            product.stock = 7
            let error = storeError { try context.save() }
            #expect(error?.code == .busy)
            #expect(product.stock == 7 && context.hasChanges)
            #expect(child.finish())
            try context.save()
        }
        let stock = try await store.writer.read { try Int.fetchOne($0, sql: "SELECT stock FROM product WHERE id = 1") }
        #expect(stock == 7)
    }

    // MARK: Permissions, in a process with a user's privileges

    @Test("A store in a folder without write permission can be read if the configuration says so")
    func readOnlyFolder() async throws {
        let folder = try Folder()
        try await folder.makeShop()
        try folder.setPermissions(0o444, of: "shop.sqlite")
        try folder.setPermissions(0o555)
        let before = try folder.contents()
        let reading = try ChildProcess("open", folder.file.path, "readonly").lines()
        #expect(reading == ["products \(Bookkeeping.products.count)"])
        let refused = try #require(try ChildProcess("open", folder.file.path).line())
        #expect(refused.hasPrefix("opening the store (“\(folder.file.path)”): "))
        #expect(refused.hasSuffix("[readOnly]"))
        #expect(try folder.contents() == before)
    }

    @Test("A folder or file without write permission is an error that names it; no file is created")
    func forbidden() async throws {
        let folder = try Folder()
        try folder.setPermissions(0o555)
        let none = try #require(try ChildProcess("open", folder.file.path).line())
        #expect(none.contains("where SQLite stores the journal, is not writable") && none.hasSuffix("[readOnly]"))
        let missing = try #require(try ChildProcess("open", folder.file.path, "readonly").line())
        #expect(missing.contains("there is no store") && missing.hasSuffix("[cannotOpen]"))
        #expect(try folder.contents().isEmpty)

        try folder.setPermissions(0o777)
        try await folder.makeShop()
        // The journal and its index have the file's mode.
        for name in ["shop.sqlite", "shop.sqlite-wal", "shop.sqlite-shm"] { try folder.setPermissions(0o444, of: name) }
        let file = try #require(try ChildProcess("open", folder.file.path).line())
        #expect(file.contains("the file is not writable") && file.hasSuffix("[readOnly]"))
        #expect(
            try ChildProcess("open", folder.file.path, "readonly").lines() == ["products \(Bookkeeping.products.count)"]
        )
        try folder.setPermissions(0o000, of: "shop.sqlite")
        for mode in ["readonly", ""] {
            let unreadable = try #require(try ChildProcess("open", folder.file.path, mode).line())
            #expect(unreadable.contains("the file is not readable") && unreadable.hasSuffix("[cannotOpen]"))
        }
    }

    @Test("The journal of a crash is never ignored, even if it cannot be recovered")
    func crashedInReadOnlyFolder() async throws {
        let folder = try Folder()
        let crashed = try Folder()
        let store = try Store(ShopSchema.self, at: .file(folder.file))
        try await store.perform { try Bookkeeping.fill($0, steps: 2) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file.path + suffix, toPath: crashed.file.path + suffix)
            // A store's files are readable only by their user, and another user opens them here.
            try crashed.setPermissions(0o644, of: "shop.sqlite" + suffix)
        }
        try crashed.setPermissions(0o555)
        let refused = try #require(try ChildProcess("open", crashed.file.path, "readonly").line())
        #expect(refused.contains("its journal has changes") && refused.hasSuffix("[readOnly]"))
        try crashed.setPermissions(0o777)
        let reopened = try Store(ShopSchema.self, at: .file(crashed.file))
        #expect(try await reopened.writer.read { try Bookkeeping($0) } == Bookkeeping.after(2))
    }
}
