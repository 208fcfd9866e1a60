import Foundation
import GRDB
import KitchenSink
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Shop
import TestSupport
import Testing

@Suite("The outbox as used by an app and a push")
struct OutboxTests {
    private let stage: OutboxStage
    private var outbox: Outbox { stage.store.outbox }

    init() throws {
        stage = try OutboxStage(ShopSchema.self)
        try stage.seed(
            """
            INSERT INTO product (id, name) VALUES (1, 'Pen'); INSERT INTO tag VALUES (1, 'red'), (2, 'blue');
            INSERT INTO product_tag VALUES (1, 1); INSERT INTO image VALUES (5, 'https://x', NULL, 1)
            """)
    }

    private func snapshot(_ record: String) async throws -> OutboxSnapshot {
        let change = try #require(try await outbox.pending().first { "\($0.entity) \($0.record)" == record })
        let plan = try #require(stage.store.plans.first { $0.name == change.entity })
        return try #require(try await stage.store.writer.read { try OutboxSnapshot(change, plan: plan, in: $0) })
    }

    @discardableResult
    private func confirm(_ snapshot: OutboxSnapshot) async throws -> Bool {
        let plan = try #require(stage.store.plans.first { $0.name == snapshot.change.entity })
        return try await stage.store.writeRaw("confirming") { database, _ in
            try OutboxWriter(database, plan: plan).confirm(snapshot)
        }
    }

    @Test("P12 Pending changes have their records, dates, attempts and last errors")
    func pending() async throws {
        try stage.run("INSERT INTO tag VALUES (3, 'green'); UPDATE product SET name = 'Pencil'")
        let pending = try await outbox.pending()
        #expect(pending.map { "\($0.kind) \($0.entity) \($0.record)" } == ["create Tag 3", "update Product 1"])
        #expect(pending.allSatisfy { abs($0.since.timeIntervalSinceNow) < 600 && $0.attempts == 0 })
        let first = pending[0]
        try await stage.store.writeRaw("failing") { [plans = stage.store.plans] database, _ in
            let plan = try #require(plans.first { $0.name == "Tag" })
            let writer = OutboxWriter(database, plan: plan)
            try writer.fail(
                first, error: "no network", wait: StoredWait(start: nil, end: Date(timeIntervalSince1970: 5)))
            try writer.park(first, status: 422, body: Data("no".utf8), error: "refused")
        }
        let parked = try #require(try await outbox.pending().first)
        #expect(parked.attempts == 2 && parked.lastError == "refused")
        #expect(parked.parked == PendingChange.Parked(status: 422, body: Data("no".utf8)))
        #expect(try await outbox.status().parkedCount == 1)
        try await outbox.retry(parked)
        #expect(try await outbox.pending().first?.parked == nil)
        #expect(try await outbox.changes(of: Tag.self).count == 1)
    }

    @Test("P4 A change not edited since it was read is synced")
    func confirmed() async throws {
        try stage.run("UPDATE product SET name = 'Pencil'; INSERT INTO product_tag VALUES (1, 2)")
        let sent = try await snapshot("Product 1")
        #expect(sent.base?[1] == "Pen".databaseValue && sent.row?[1] == "Pencil".databaseValue)
        #expect(sent.links.map(\.isAdded) == [true])
        #expect(try await confirm(sent))
        #expect(try stage.changes() == [] && stage.links() == [] && stage.base("product") == [])
        #expect(try await confirm(sent))
    }

    @Test("P4 An edit made meanwhile is sent next, based on the values sent before")
    func editedMeanwhile() async throws {
        try stage.run("UPDATE product SET name = 'Pencil'; INSERT INTO product_tag VALUES (1, 2)")
        let sent = try await snapshot("Product 1")
        try stage.run("UPDATE product SET stock = 7; DELETE FROM product_tag")
        #expect(try await !confirm(sent))
        #expect(try stage.changes() == ["update Product 1"])
        #expect(try stage.base("product")[0].hasPrefix("1 \"Pencil\""))
        #expect(try stage.links() == ["-product_tag 1 1", "-product_tag 1 2"])
        try stage.run("UPDATE product SET stock = 0; INSERT INTO product_tag VALUES (1, 1), (1, 2)")
        #expect(try await confirm(try await snapshot("Product 1")))
    }

    @Test("P4 A creation that was sent, and edited or deleted before the response")
    func createdMeanwhile() async throws {
        try stage.run("INSERT INTO tag VALUES (3, 'green'), (4, 'grey'), (5, 'gold')")
        for record in ["Tag 3", "Tag 4", "Tag 5"] {
            let sent = try await snapshot(record)
            try await stage.store.writeRaw("sending") { [plans = stage.store.plans] database, _ in
                let plan = try #require(plans.first { $0.name == "Tag" })
                try OutboxWriter(database, plan: plan).markSent(
                    sent.change, idempotencyKey: "key", body: Data("{}".utf8), row: try #require(sent.row))
            }
            let again = try await snapshot(record)
            #expect(again.change.sentBody == Data("{}".utf8) && again.change.idempotencyKey == "key")
            if record == "Tag 3" { try stage.run("UPDATE tag SET name = 'lime' WHERE id = 3") }
            if record == "Tag 4" { try stage.run("DELETE FROM tag WHERE id = 4") }
            if record == "Tag 5" {
                try stage.run("UPDATE tag SET name = 'x' WHERE id = 5; UPDATE tag SET name = 'gold' WHERE id = 5")
            }
            try await confirm(again)
        }
        #expect(try stage.changes() == ["update Tag 3", "delete Tag 4"])
        #expect(try stage.base("tag") == ["3 \"green\"", "4 \"grey\""])
    }

    @Test("Discarding restores the server's values, links and records")
    func discard() async throws {
        try stage.run(
            """
            UPDATE product SET name = 'Pencil'; DELETE FROM product_tag; INSERT INTO product_tag VALUES (1, 2);
            UPDATE image SET pictured_id = NULL; DELETE FROM tag WHERE id = 1; INSERT INTO tag VALUES (3, 'green');
            INSERT INTO product_tag VALUES (1, 3)
            """)
        try await outbox.discardAll()
        #expect(try stage.changes() == [] && stage.links() == [] && stage.base("product") == [])
        #expect(try stage.rows("SELECT id, name FROM product") == ["1 \"Pen\""])
        #expect(try stage.rows("SELECT * FROM tag") == ["1 \"red\"", "2 \"blue\""])
        #expect(try stage.rows("SELECT * FROM product_tag") == ["1 1"])
        #expect(try stage.rows("SELECT pictured_id FROM image") == ["1"])
    }

    @Test("Discarding a locally created record also discards its dependents, and contexts show it")
    @MainActor func discardCreated() async throws {
        let context = stage.store.mainContext
        let product = Product(id: 2, name: "Ink", context: context)
        let review = ProductReview(id: 9, name: "Ann", reviewText: "fine", context: context)
        review.product = product
        try await context.save()
        #expect(!product.isSynced && !review.isSynced)
        let change = try #require(try outbox.change(of: product))
        try await outbox.discard(change)
        _ = try context.exists(Product.all())
        #expect(product.recordState == .deleted && review.recordState == .deleted)
        #expect(try stage.changes() == [])
        let pen = try #require(try context.find(Product.self, 1))
        #expect(pen.isSynced)
        context.delete(pen)
        try await context.save()
        #expect(pen.isDeletedLocally)
    }

    @Test("Updates deliver the count whenever it changes, whatever the source")
    func updates() async throws {
        var counts = stage.store.outbox.updates.makeAsyncIterator()
        #expect(await counts.next()?.count == 0)
        try await stage.store.perform { context in
            _ = Tag(id: 7, name: "seven", context: context)
            try context.save()
        }
        #expect(await counts.next()?.count == 1)
        try stage.run("INSERT INTO tag VALUES (8, 'eight')")
        #expect(await counts.next()?.count == 2)
        try await outbox.discardAll()
        #expect(await counts.next()?.count == 0)
    }

    @Test("Composite keys, control characters and reserved names are preserved")
    func keys() async throws {
        let sink = try OutboxStage(KitchenSinkSchema.self)
        try await sink.store.perform { context in
            _ = Person(name: "Ann", country: "D,'E\u{1}x", number: 7, context: context)
            _ = Person(name: "Bob", country: "D,'E\u{1}y", number: 7, context: context)
            _ = Label(id: "a\u{1}b", context: context)
            _ = Keyword(id: 1, context: context)
            try context.save()
            try #require(try context.find(Keyword.self, 1)).protocol = "x"
            try context.save()
        }
        let pending = try await sink.store.outbox.pending()
        #expect(pending.count == 4)
        #expect(pending.map(\.record).contains("D,'E\u{1}y, 7"))
        #expect(pending.map(\.record).contains("a\u{1}b"))
        try await sink.store.outbox.discardAll()
        #expect(try sink.changes() == [])
        #expect(try sink.rows("SELECT COUNT(*) FROM person UNION ALL SELECT COUNT(*) FROM label") == ["0", "0"])
    }

    @Test("P1 Changes by the command line count too; a store without an outbox gets one when it is opened")
    func commandLine() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("shop.sqlite")
            try Store(ShopSchema.self, at: .file(url)).close()
            let statements = """
                INSERT INTO tag VALUES (1, 'red'); UPDATE tag SET name = 'blue';
                DELETE FROM lockstep_metadata WHERE key = 'outbox'; DROP TRIGGER lockstep_outbox_tag_update
                """
            try await DatabaseQueue(path: url.path).write { try $0.execute(sql: statements) }
            let store = try Store(ShopSchema.self, at: .file(url))
            #expect(try await store.outbox.pending().map(\.kind) == [.create])
            try await store.writer.write { database in
                try database.execute(sql: "DELETE FROM lockstep_outbox; UPDATE tag SET name = 'x'")
            }
            #expect(try await store.outbox.pending().map(\.kind) == [.update])
            try store.close()
        }
    }
}
