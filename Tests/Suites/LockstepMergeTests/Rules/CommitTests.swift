import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
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
        #expect(error?.remedy.hasPrefix("The records before this piece are in the store.") == true)
        #expect(try shop.rows("SELECT COUNT(*) FROM product") == ["600"])
    }

    @Test("M10 M7 It deletes nothing, and says so once")
    func deletesNothing() async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (5000, 'old')")
        let summary = try await merge(.text, into: shop.store, options { $0.records = .all })
        #expect(summary.deleted == 0 && summary.notes.map(\.code) == [.incompletePayload])
        #expect(try shop.rows("SELECT COUNT(*) FROM product") == ["1001"])
    }

    @Test(
        "M10 A record that a list lacks stays, because a later piece can have it; a merge that commits once deletes it")
    func moved() async throws {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        func orders(_ first: String, _ second: String) -> String {
            #"[{"id": 1, "name": "a", "lines": [\#(first)]}, {"id": 2, "name": "b", "lines": [\#(second)]}]"#
        }
        func lines() async throws -> [String] {
            try await store.perform { context in
                try context.fetch(Line.all()).map { line in
                    "\(line.title) of \(line.order?.name ?? "none"), \(line.price ?? 0)"
                }.sorted()
            }
        }
        let line = #"{"id": 5, "title": "nut", "count": 1, "stamps": []}"#
        let gone = #"{"id": 6, "title": "bolt", "count": 1, "stamps": []}"#
        try await store.merge(orders("\(line), \(gone)", ""), into: Order.self)
        try await store.perform { context in
            for line in try context.fetch(Line.all()) where line.title == "nut" { line.price = 7 }
            try context.save()
        }
        let summary = try await store.merge(
            orders("", line), into: Order.self, options: options { $0.pieceRecordCount = 1 })
        #expect(summary.deleted == 0)
        #expect(try await lines() == ["bolt of a, 0", "nut of b, 7"])
        let again = try await store.merge(
            orders("", line), into: Order.self, options: options { $0.pieceRecordCount = 1 })
        #expect(!again.hasChanges)
        try await store.merge(orders("", line), into: Order.self)
        #expect(try await lines() == ["nut of b, 7"])
    }

    @Test("M10 R6 Embedded records without an identity are replaced, also by none", arguments: [0, 1])
    func withoutIdentity(count: Int) async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        func exhibits(_ texts: [String]) -> String {
            let repairs = texts.map { #"{"text": "\#($0)"}"# }.joined(separator: ", ")
            return #"[{"id": 1, "title": "vase", "repairs": [\#(repairs)]}]"#
        }
        try await museum.store.merge(exhibits(["glue", "paint"]), into: Exhibit.self)
        try await museum.store.merge(exhibits(Array(["wax"].prefix(count))), into: Exhibit.self, options: options())
        #expect(try museum.rows("SELECT text FROM repair") == (count == 0 ? [] : ["wax"]))
    }

    @Test("M10 Dry runs and traced merges do not delete either, and say why")
    func sameInOne() async throws {
        for isDryRun in [true, false] {
            let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (5000, 'old')")
            let summary = try await merge(
                .text, into: shop.store,
                options {
                    $0.records = .all
                    $0.isDryRun = isDryRun
                    $0.isTraced = !isDryRun
                })
            #expect(summary.deleted == 0)
            #expect(try shop.rows("SELECT COUNT(*) FROM product WHERE id = 5000") == ["1"])
        }
    }

    @Test("M10 A sync ignores it: what a pull does not list is deleted")
    func pulled() async throws {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let remote = MemoryRemote()
        let sync = Sync(store: store, remote: remote)
        let options = options {
            $0.records = .all
            $0.pieceRecordCount = 1
        }
        for id in 1...2 {
            remote.set(["id": .integer(Int64(id)), "name": .string("\(id)"), "lines": []], id: "\(id)", in: "/orders")
        }
        try await sync.pull(Order.self, options: options)
        remote.remove("1", from: "/orders")
        try await sync.pull(Order.self, options: options)
        #expect(try await store.perform { try $0.fetch(Order.all()).map(\.name) } == ["2"])
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
        size.adapt(to: .milliseconds(35))
        #expect(size.count == 512)
        size.adapt(to: .milliseconds(50))
        #expect(size.count == 358)
        size.adapt(to: .seconds(100))
        #expect(size.count == 256)
        size.adapt(to: .zero)
        #expect(size.count == 512)
        var least = PieceSize(milliseconds: -5)
        least.adapt(to: .seconds(1))
        #expect(least.count == 256)
    }
}
