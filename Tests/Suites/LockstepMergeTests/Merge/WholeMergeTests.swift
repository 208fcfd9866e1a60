import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import Shop
import Testing
import TestSupport

@Suite("A merge is applied as a whole or not at all")
struct WholeMergeTests {
    private static let tags = "SELECT id, name FROM tag ORDER BY id"

    // MARK: Triggers of the app

    @Test("M10 A trigger that rolls back ends the merge, and nothing is written after it")
    func rollback() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            CREATE TRIGGER no_b BEFORE INSERT ON tag WHEN NEW.name = 'b' BEGIN SELECT RAISE(ROLLBACK, 'no b'); END
            """)
        await #expect(throws: StoreError.self) {
            try await shop.mergeOnce(Self.tagsJSON(["a", "b", "c"]), into: Tag.self)
        }
        #expect(try shop.rows(Self.tags) == [])
        try await shop.merge(Self.tagsJSON(["x", "y"]), into: Tag.self)
        #expect(try shop.rows(Self.tags) == ["1 x", "2 y"])
        try shop.store.close()
    }

    @Test(
        "M10 M14 A replacement that rolls back, or fills up the disk, ends the merge too", arguments: [true, false])
    func replacement(rollsBack: Bool) async throws {
        let shop = try RuleFixture(
            ShopSchema.self, "CREATE TRIGGER no BEFORE INSERT ON image BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
        shop.store.customizeMerge(
            of: Tag.self,
            MergeCustomization(replace: { _, _, database in
                guard rollsBack else { throw DatabaseError(resultCode: .SQLITE_FULL) }
                try database.execute(sql: "INSERT INTO image (id, url) VALUES (1, 'http://a')")
                return .inserted
            }))
        let json = #"[{"id": 1, "name": "Lamp", "tag_ids": [1]}]"#
        try await shop.mergeOnce(json, into: Product.self)
        await #expect(throws: StoreError.self) { try await shop.mergeOnce(Self.tagsJSON(["a", "b"]), into: Tag.self) }
        #expect(try shop.rows("SELECT id FROM product") == ["1"])
        #expect(try shop.rows(Self.tags) == [])
    }

    @Test("M12 A record rejected by a trigger is skipped with its nested records; the others are stored")
    func refused() async throws {
        let forest = try RuleFixture(
            ForestSchema.self,
            """
            INSERT INTO node (id, title) VALUES (2, 'two');
            CREATE TRIGGER no_one BEFORE INSERT ON node WHEN NEW.title = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END
            """)
        let summary = try await forest.mergeOnce(
            """
            [{"id": 1, "title": "bad", "children": [{"id": 2, "title": "changed"}, {"id": 3, "title": "new"}]},
             {"id": 4, "title": "good"}]
            """, into: Node.self)
        #expect(try forest.rows("SELECT id, title, parent_id FROM node ORDER BY id") == ["2 two -", "4 good -"])
        #expect(summary.inserted == 1 && summary.updated == 0)
        #expect(summary.skipped.map(\.identity) == ["1"])
    }

    // MARK: The disk and the task

    @Test("M10 A full disk leaves the store unchanged, and it can be closed")
    func fullDisk() async throws {
        try await withTemporaryFolder { folder in
            let shop = try RuleFixture(ShopSchema.self, at: .file(folder.appendingPathComponent("shop.sqlite")))
            try await shop.merge(Self.tagsJSON(["a", "b"]), into: Tag.self)
            let pages = try shop.rows("PRAGMA page_count")[0]
            try shop.execute("PRAGMA max_page_count = \(pages)")
            let error = await #expect(throws: StoreError.self) {
                try await shop.mergeOnce(
                    Self.tagsJSON((1...5_000).map { "a name of some length \($0)" }), into: Tag.self)
            }
            #expect(error?.code == .diskFull)
            #expect(try shop.rows(Self.tags) == ["1 a", "2 b"])
            try shop.store.close()
        }
    }

    @Test("M10 Cancelled while values are swapped: nothing is changed, and the tables' checks are enforced again")
    func cancelledWhileParking() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(Self.tagsJSON(["a", "b"]), into: Tag.self)
        let task = Locked<Task<MergeSummary, any Error>?>(nil)
        let start = DispatchSemaphore(value: 0)
        try await shop.store.writer.write { database in
            database.add(
                function: DatabaseFunction("cancel_merge", argumentCount: 0) { _ in
                    start.wait()
                    task.withLock { $0?.cancel() }
                    return nil
                })
            try database.execute(
                sql: """
                    CREATE TRIGGER cancelling BEFORE UPDATE ON tag WHEN typeof(NEW.name) = 'blob'
                    BEGIN SELECT cancel_merge(); END
                    """)
        }
        let merge = Task { try await shop.mergeOnce(Self.tagsJSON(["b", "a"]), into: Tag.self) }
        task.withLock { $0 = merge }
        start.signal()
        start.signal()
        await #expect(throws: CancellationError.self) { try await merge.value }
        #expect(try shop.rows(Self.tags) == ["1 a", "2 b"])
        #expect(throws: DatabaseError.self) {
            try shop.execute("INSERT INTO product (id, name, price) VALUES (1, 'Lamp', -1)")
        }
        try shop.store.close()
    }

    // MARK: Stores

    @Test("A store can be closed right after a merge, even if it failed or was cancelled")
    func close() async throws {
        for ending in 0..<4 {
            let store = try Store(ShopSchema.self, at: .inMemory)
            let json = #"[{"id": 7, "name": "Lamp", "tag_ids": [1, 2], "images": [{"id": 1, "url": "http://a"}]}]"#
            let summary = try await store.merge(json, into: Product.self, options: MergeOptions(records: .all))
            #expect(summary.inserted == 2)
            if ending == 1 {
                await #expect(throws: MergeError.self) { try await store.merge(json + "x", into: Product.self) }
            } else if ending == 2 {
                let merge = Task { try await store.merge(json, into: Product.self) }
                merge.cancel()
                _ = await merge.result
            } else if ending == 3 {
                store.customizeMerge(
                    of: Product.self, MergeCustomization(didMerge: { _, _ in throw CancellationError() }))
                await #expect(throws: CancellationError.self) { try await store.merge(json, into: Product.self) }
            }
            try store.close()
            await #expect(throws: StoreError.self) { try await store.merge(json, into: Product.self) }
        }
    }

    @Test("A merge into a read-only store throws an error that says so")
    func readOnly() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("shop.sqlite")
            let store = try Store(ShopSchema.self, at: .file(file))
            try await store.merge(Self.tagsJSON(["a"]), into: Tag.self)
            try store.close()
            var configuration = Configuration()
            configuration.readonly = true
            let reader = try Store(ShopSchema.self, at: .file(file), configuration: configuration)
            let error = await #expect(throws: StoreError.self) {
                try await reader.merge(Self.tagsJSON(["b"]), into: Tag.self)
            }
            #expect(error?.code == .readOnly)
            try reader.close()
        }
    }

    @Test("M10 Two stores on one file: merges wait for each other, and none is lost")
    func twoStores() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("shop.sqlite")
            let (one, other) = (
                try Store(ShopSchema.self, at: .file(file)), try Store(ShopSchema.self, at: .file(file))
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    let json = "[{\"id\": \(number), \"name\": \"\(number)\"}]"
                    group.addTask { _ = try await (number % 2 == 0 ? one : other).merge(json, into: Tag.self) }
                }
                try await group.waitForAll()
            }
            let count = try await other.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tag") }
            #expect(count == 10)
            try one.close()
            try other.close()
        }
    }

    // MARK: Observers

    @Test("GRDB observers are notified of writes by triggers during a merge")
    func observers() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            INSERT INTO article (id, title, body_text) VALUES (1, 'old', '');
            CREATE TRIGGER titles AFTER INSERT ON tag BEGIN UPDATE article SET title = NEW.name; END
            """)
        let titles = ValueObservation.tracking { try String.fetchOne($0, sql: "SELECT title FROM article") }
        var values = titles.values(in: shop.store.writer).makeAsyncIterator()
        #expect(try await values.next() == "old")
        try await shop.merge(Self.tagsJSON(["new"]), into: Tag.self)
        #expect(try await values.next() == "new")
    }

    private static func tagsJSON(_ names: [String]) -> String {
        "[\(names.enumerated().map { "{\"id\": \($0.offset + 1), \"name\": \"\($0.element)\"}" }.joined(separator: ", "))]"
    }
}
