import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepSystem
import ServerSamples
import Shop
import TestSupport
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("M10 A merge that commits several times")
struct CommitTests {
    private static let count = 1_000

    /// The form in which records come.
    enum Source: CaseIterable {
        case text, file, wrapped, map, pieces, representations, lossy
    }

    private func records(_ range: Range<Int>) -> [String] { range.map { #"{"id": \#($0), "name": "P\#($0)"}"# } }

    /// Options for pieces of 300 records, of which the last is smaller.
    private func options(_ change: (inout MergeOptions) -> Void = { _ in }) -> MergeOptions {
        var options = MergeOptions()
        options.commits = .every(milliseconds: 50)
        options.pieceRecordCount = 300
        change(&options)
        return options
    }

    private func merge(_ source: Source, into store: Store, _ options: MergeOptions) async throws -> MergeSummary {
        let records = records(0..<Self.count)
        let text = "[\(records.joined(separator: ", "))]"
        var options = options
        switch source {
        case .text: return try await store.merge(text, into: Product.self, options: options)
        case .pieces:
            let pieces = AsyncStream { pieces in
                for byte in stride(from: 0, to: text.utf8.count, by: 1_000) {
                    pieces.yield(Array(text.utf8.dropFirst(byte).prefix(1_000)))
                }
                pieces.finish()
            }
            return try await store.merge(pieces: pieces, into: Product.self, options: options)
        case .file:
            return try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("products.json")
                try Data(text.utf8).write(to: file)
                options.windowByteCount = 5_000
                return try await store.merge(contentsOf: file, into: Product.self, options: options)
            }
        case .wrapped:
            options.payload = .wrapped(key: "products")
            // Only the last occurrence of a key counts.
            let twice = #"{"products": [{"id": 7777, "name": "no"}], "total": [1, 2], "products": \#(text)}"#
            return try await store.merge(twice, into: Product.self, options: options)
        case .map:
            options.payload = .map
            let members = (0..<Self.count).map { #""\#($0)": {"name": "P\#($0)"}"# }
            return try await store.merge(
                "{\(members.joined(separator: ", "))}", into: Product.self, options: options)
        case .representations:
            let values = try JSONDecoder().decode([ProductRepresentation].self, from: Data(text.utf8))
            return try await store.merge(values, options: options)
        case .lossy:
            let values = try JSONDecoder().decode(LossyRepresentations<Product>.self, from: Data(text.utf8))
            return try await store.merge(values, options: options)
        }
    }

    @Test("M10 M15 It has the result of one transaction, whatever the records come from", arguments: Source.allCases)
    func result(source: Source) async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let calls = Locked<[Int]>([])
        let customization = MergeCustomization<Product>(didMerge: { summary, _ in
            calls.withLock { $0.append(summary.inserted) }
        })
        let options = options { $0.customizeMerge(of: Product.self, customization) }
        let summary = try await merge(source, into: shop.store, options)
        #expect(summary[Product.self].inserted == Self.count && summary.skipped.isEmpty && summary.notes.isEmpty)
        #expect(summary.identities(.inserted, of: Product.self).count == Self.count)
        #expect(calls.withLock { $0 } == [300, 300, 300, 100])
        #expect(try shop.rows("SELECT COUNT(*), MIN(name), MAX(id) FROM product") == ["1000 P0 999"])
        let writes = try shop.writeCount()
        let again = try await merge(source, into: shop.store, self.options())
        #expect(again[Product.self].unchanged == Self.count && !again.hasChanges)
        #expect(try shop.writeCount() == writes)
    }

    @Test("M10 A payload that is not JSON changes nothing", arguments: ["", "]x", ", {\"id\": 5", "] []"])
    func notJSON(end: String) async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let text = "[\(records(0..<Self.count).joined(separator: ", "))\(end)"
        let error = await #expect(throws: MergeError.self) {
            try await shop.store.merge(text, into: Product.self, options: options())
        }
        guard case .notJSON? = error?.code else { Issue.record("\(String(describing: error))"); return }
        #expect(try shop.rows("SELECT COUNT(*) FROM product") == ["0"])
    }

    @Test("M10 M12 If an invalid record ends it, what was committed before stays")
    func aborted() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let all = records(0..<700) + [#"{"id": 700, "name": {}}"#] + records(701..<1_000)
        let error = await #expect(throws: MergeError.self) {
            try await shop.store.merge(
                "[\(all.joined(separator: ", "))]", into: Product.self,
                options: options { $0.invalidRecords = .abort })
        }
        #expect(error?.index == 700 && error?.keyPath == "name")
        #expect(try shop.rows("SELECT COUNT(*) FROM product") == ["600"])
    }

    @Test("M10 M7 It deletes nothing, and says so once")
    func deletesNothing() async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (5000, 'old')")
        let summary = try await merge(.text, into: shop.store, options { $0.records = .all })
        #expect(summary.deleted == 0 && summary.notes.map(\.code) == [.incompletePayload])
        #expect(try shop.rows("SELECT COUNT(*) FROM product") == ["1001"])
    }

    @Test("M10 A record that moves to an owner in a later piece is not deleted, and keeps what only the device has")
    func moved() async throws {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        func orders(_ first: String, _ second: String) -> String {
            #"[{"id": 1, "name": "a", "lines": [\#(first)]}, {"id": 2, "name": "b", "lines": [\#(second)]}]"#
        }
        let line = #"{"id": 5, "title": "nut", "count": 1, "stamps": []}"#
        let gone = #"{"id": 6, "title": "bolt", "count": 1, "stamps": []}"#
        try await store.merge(orders("\(line), \(gone)", ""), into: Order.self)
        try await store.perform { context in
            for line in try context.fetch(Line.all()) { line.price = 7 }
            try context.save()
        }
        let summary = try await store.merge(
            orders("", line), into: Order.self, options: options { $0.pieceRecordCount = 1 })
        #expect(summary.deleted == 0)
        let lines = try await store.perform { context in
            try context.fetch(Line.all()).map { "\($0.title) of \($0.order?.name ?? "none"), \($0.price ?? 0)" }
                .sorted()
        }
        #expect(lines == ["bolt of none, 7", "nut of b, 7"])
    }

    @Test("M10 Skipped records have their index in the payload")
    func skipped() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let all = records(0..<700) + [#"{"id": 700, "name": {}}"#] + records(701..<1_000)
        let summary = try await shop.store.merge(
            "[\(all.joined(separator: ", "))]", into: Product.self, options: options())
        #expect(summary.skipped.map(\.index) == [700])
        #expect(summary[Product.self].inserted == 999 && summary[Product.self].skipped == 1)
    }

    @Test("M10 A dry run writes nothing, and a traced merge commits once")
    func atOnce() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let tried = try await merge(.text, into: shop.store, options { $0.isDryRun = true })
        #expect(tried.isDryRun && tried.inserted == Self.count)
        #expect(try shop.rows("SELECT COUNT(*) FROM product") == ["0"])
        let traced = try await merge(.text, into: shop.store, options { $0.isTraced = true })
        #expect(traced.trace != nil && traced.inserted == Self.count)
    }

    @Test("M10 What is committed is seen by others before the merge has ended")
    func seenByOthers() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("shop.sqlite")
            let store = try Store(ShopSchema.self, at: .file(file))
            let other = try DatabaseQueue(path: file.path)
            let seen = Locked<[Int?]>([])
            let customization = MergeCustomization<Product>(didMerge: { _, _ in
                let count = try other.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM product") }
                seen.withLock { $0.append(count) }
            })
            _ = try await merge(.text, into: store, options { $0.customizeMerge(of: Product.self, customization) })
            #expect(seen.withLock { $0 } == [0, 300, 600, 900])
        }
    }

    @Test("The number of records in a piece follows the time that they take")
    func sizes() {
        var size = PieceSize(milliseconds: 50)
        #expect(size.count == 256)
        size.adapt(to: .milliseconds(1))
        #expect(size.count == 512)
        size.adapt(to: .milliseconds(70))
        #expect(size.count == 256)
        size.adapt(to: .milliseconds(35))
        #expect(size.count == 256)
        size.adapt(to: .seconds(100))
        #expect(size.count == 16)
        size.adapt(to: .zero)
        #expect(size.count == 32)
        var least = PieceSize(milliseconds: -5)
        least.adapt(to: .seconds(1))
        #expect(least.count == 16)
    }
}
