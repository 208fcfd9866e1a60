import Foundation
import GRDB
import KitchenSink
import LockstepStore
import LockstepSync
import SampleTypes
import Shop
import TestSupport
import Testing

@Suite("Unique values")
struct UniqueValueTests {
    private let shop: Store
    private let kitchen: Store

    init() throws {
        shop = try Store(ShopSchema.self, at: .inMemory)
        kitchen = try Store(KitchenSinkSchema.self, at: .inMemory)
    }

    @Test("M11 Two records that swap values both get them", arguments: [[1, 2], [2, 1]])
    func swap(order: [Int]) async throws {
        try await mergeTags([1: "a", 2: "b"], order)
        let summary = try await mergeTags([1: "b", 2: "a"], order)
        #expect(summary[Tag.self].updated == 2 && summary.skipped.isEmpty)
        #expect(try await tags() == ["1 b", "2 a"])
        #expect(try await !mergeTags([1: "b", 2: "a"], order).hasChanges)
    }

    @Test("M11 Three rotate their values, and a new record takes a value that is given up", arguments: 0..<6)
    func ring(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        try await mergeTags([1: "a", 2: "b", 3: "c", 4: "d"], [1, 2, 3, 4])
        let order = [1, 2, 3, 4, 5].shuffled(using: &random)
        let summary = try await mergeTags([1: "b", 2: "c", 3: "a", 4: "e", 5: "d"], order)
        #expect(summary.skipped.isEmpty, "\(order): \(summary)")
        #expect(summary[Tag.self].updated == 4 && summary[Tag.self].inserted == 1)
        #expect(try await tags() == ["1 b", "2 c", "3 a", "4 e", "5 d"])
    }

    @Test("M11 If two records want one value, the smallest identity gets it, in any order", arguments: 0..<6)
    func sameValue(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let order = [3, 5, 7, 9].shuffled(using: &random)
        let summary = try await mergeTags([3: "x", 5: "x", 7: "x", 9: "y"], order)
        #expect(try await tags() == ["3 x", "9 y"])
        #expect(summary[Tag.self].inserted == 2)
        #expect(
            Set(summary.skipped.map { "\($0.identity ?? "") \($0.keyPath): \($0.reason)" }) == [
                "5 name: another record has the same name", "7 name: another record has the same name",
            ])
        #expect(summary.notes.map(\.code) == [.uniqueConflict, .uniqueConflict])
        let again = try await mergeTags([3: "x", 5: "x", 7: "x", 9: "y"], order)
        #expect(!again.hasChanges && again.skipped.count == 2)
    }

    @Test("M12 A value of another stored record is not taken: the record is unchanged, or the merge ends")
    func outside() async throws {
        try await mergeTags([1: "a", 2: "b"], [1, 2])
        let records: [Int: String] = [2: "a", 3: "a", 4: "d"]
        var options = MergeOptions()
        options.invalidRecords = .abort
        let error = await #expect(throws: MergeError.self) { try await mergeTags(records, [2, 3, 4], options) }
        #expect(error?.code == .invalidRecord && error?.reason == "another record has the same name")
        #expect(try await tags() == ["1 a", "2 b"])
        let summary = try await mergeTags(records, [2, 3, 4])
        #expect(try await tags() == ["1 a", "2 b", "4 d"])
        #expect(summary[Tag.self].inserted == 1 && summary[Tag.self].updated == 0)
        #expect(summary.skipped.map(\.identity) == ["2", "3"])
    }

    @Test("M12 A record that cannot change keeps its value from the next: no value is used twice")
    func chain() async throws {
        try await mergeTags([1: "a", 2: "b", 3: "c"], [1, 2, 3])
        // 2 wants the value of 1, which is not in the payload; 3 wants the value of 2.
        let summary = try await mergeTags([2: "a", 3: "b"], [3, 2])
        #expect(try await tags() == ["1 a", "2 b", "3 c"])
        #expect(!summary.hasChanges && summary.skipped.count == 2)
    }

    @Test("M12 Records nested in a skipped record are skipped too")
    func nested() async throws {
        try await shop.writer.write {
            try $0.execute(sql: "CREATE UNIQUE INDEX product_name ON product (name)")
        }
        let summary = try await shop.merge(
            Data(
                """
                [{"id": 2, "name": "Lamp", "images": [{"id": 20, "url": "http://a"}]},
                 {"id": 1, "name": "Lamp", "images": [{"id": 10, "url": "http://a"}]}]
                """.utf8), into: Product.self)
        #expect(summary[Product.self].inserted == 1 && summary[Picture.self].inserted == 1)
        let pictures = try await shop.writer.read {
            try String.fetchAll($0, sql: "SELECT id || ' of ' || product_id FROM picture")
        }
        #expect(pictures == ["10 of 1"])
    }

    @Test("M11 Composite unique values are swapped, including a foreign key")
    func composite() async throws {
        try await kitchen.writer.write {
            try $0.execute(sql: "CREATE UNIQUE INDEX everything_owner_note ON everything (owner_number, note)")
        }
        try await mergeThings([thing(1, owner: 1, note: "n"), thing(2, owner: 2, note: "n")])
        let swapped = [thing(1, owner: 2, note: "n"), thing(2, owner: 1, note: "n")]
        let summary = try await mergeThings(swapped)
        #expect(summary.skipped.isEmpty && summary[Everything.self].updated == 2)
        #expect(try await things("owner_number || note") == ["2n", "1n"])
        #expect(try await !mergeThings(swapped).hasChanges)
        let refused = try await mergeThings([thing(3, owner: 1, note: "n")])
        #expect(refused.skipped.map(\.reason) == ["another record has the same owner and note"])
    }

    @Test("M11 Required and optional values are swapped at once, also in columns with checks")
    func severalColumns() async throws {
        try await kitchen.writer.write {
            try $0.execute(sql: "CREATE UNIQUE INDEX everything_small ON everything (small)")
        }
        let before = [thing(1, slug: "a", sku: "x", small: 1), thing(2, slug: "b", sku: "y", small: 2)]
        let after = [thing(1, slug: "b", sku: "y", small: 2), thing(2, slug: "a", sku: "x", small: 1)]
        try await mergeThings(before)
        let summary = try await mergeThings(after)
        #expect(summary.skipped.isEmpty && summary[Everything.self].updated == 2, "\(summary)")
        #expect(try await things("slug || sku || small") == ["by2", "ax1"])
    }

    @Test("M7 M11 The value of a record deleted by the merge can be taken by another")
    func takenFromDeleted() async throws {
        try await mergeTags([1: "a", 2: "b"], [1, 2])
        let summary = try await mergeTags([2: "a", 3: "b"], [2, 3], MergeOptions(records: .all))
        #expect(try await tags() == ["2 a", "3 b"])
        #expect(summary.skipped.isEmpty && summary[Tag.self].deleted == 1)
        #expect(summary[Tag.self].inserted == 1 && summary[Tag.self].updated == 1)
    }

    @Test("M7 M12 A record whose value does not become free is restored")
    func waitsInVain() async throws {
        try await kitchen.writer.write {
            try $0.execute(sql: "CREATE UNIQUE INDEX everything_note_only ON everything (note)")
        }
        try await mergeThings([thing(1, owner: 1, note: "n"), thing(2, owner: 2, note: "m")])
        var options = MergeOptions(records: .all)
        options.nested = .all
        let summary = try await kitchen.merge(
            Data(
                "[\(thing(2, owner: 2, note: "n").replacing("\"small\": 2", with: "\"small\": 9")), \(thing(3, owner: 2, note: "n"))]"
                    .utf8),
            into: Everything.self, scope: .matching(\.ownerNumber, 2), options: options)
        #expect(summary.skipped.map(\.identity) == ["2", "3"], "\(summary)")
        #expect(!summary.hasChanges)
        #expect(try await things("note || small") == ["n1", "m2"])
    }

    @Test("M11 Records that swap values in different windows of a file both get them")
    func windows() async throws {
        try await mergeTags([1: "a", 2: "b", 3: "c"], [1, 2, 3])
        let summary = try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("tags.json")
            let blank = String(repeating: " ", count: 5 * 1024 * 1024)
            let json =
                "[{\"id\": 1, \"name\": \"b\"},\(blank){\"id\": 2, \"name\": \"a\"}, {\"id\": 4, \"name\": \"c\"}]"
            try Data(json.utf8).write(to: file)
            return try await shop.merge(contentsOf: file, into: Tag.self)
        }
        #expect(try await tags() == ["1 b", "2 a", "3 c"])
        #expect(summary[Tag.self].updated == 2 && summary[Tag.self].inserted == 0, "\(summary)")
        #expect(summary.skipped.map(\.identity) == ["4"])
    }

    // MARK: Support

    @discardableResult
    private func mergeTags(
        _ tags: [Int: String], _ order: [Int], _ options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        let records = order.map { "{\"id\": \($0), \"name\": \"\(tags[$0] ?? "")\"}" }
        return try await shop.merge(
            Data("[\(records.joined(separator: ","))]".utf8), into: Tag.self, options: options)
    }

    private func tags() async throws -> [String] {
        try await shop.writer.read { try String.fetchAll($0, sql: "SELECT id || ' ' || name FROM tag ORDER BY id") }
    }

    private func thing(
        _ id: Int, owner: Int = 1, note: String? = nil, slug: String? = nil, sku: String? = nil, small: Int? = nil
    ) -> String {
        let text = { (value: String?) in value.map { "\"\($0)\"" } ?? "null" }
        return """
            {"id": \(id), "name": "n", "days": [], "owner_country": "fi", "owner_number": \(owner), \
            "slug": "\(slug ?? "s\(id)")", "sku": \(text(sku)), "note": \(text(note)), "small": \(small ?? id)}
            """
    }

    @discardableResult
    private func mergeThings(_ things: [String]) async throws -> MergeSummary {
        try await kitchen.merge(Data("[\(things.joined(separator: ","))]".utf8), into: Everything.self)
    }

    private func things(_ expression: String) async throws -> [String] {
        try await kitchen.writer.read {
            try String.fetchAll($0, sql: "SELECT \(expression) FROM everything ORDER BY id")
        }
    }
}
