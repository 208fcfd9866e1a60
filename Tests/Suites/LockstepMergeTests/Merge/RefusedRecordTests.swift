import Foundation
import KitchenSink
import LockstepStore
import Shop
import TestSupport
import Testing

@testable import LockstepMerge

/// The delivery of a payload to a merge.
enum PayloadRoad: CaseIterable, CustomTestStringConvertible {
    case data, file, blanks, smallWindows, batches, pages

    var testDescription: String { "\(self)" }

    /// Merges records.
    func merge<Object: Model>(
        _ records: [String], into type: Object.Type, _ store: Store, _ options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        var options = options
        let json = "[\(records.joined(separator: ","))]"
        switch self {
        case .data: return try await store.merge(json, into: type, options: options)
        case .batches:
            options.batchRecordLimit = 1
            return try await store.merge(json, into: type, options: options)
        case .pages:
            let pages = records.map { (body: PayloadBody.text("[\($0)]"), shape: PayloadShape.records) }
            return try await store.merge(pages, into: type, scope: .all, options: options)
        case .file: return try await Self.merge(json, into: type, store, options)
        case .blanks:
            let blank = String(repeating: " ", count: 5 * 1024 * 1024)
            let pieces = AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array("[\(records.joined(separator: ",\(blank)"))\(blank)]".utf8))
                continuation.finish()
            }
            return try await store.merge(pieces: pieces, into: type, options: options)
        case .smallWindows:
            options.windowByteCount = 1
            return try await Self.merge(json, into: type, store, options)
        }
    }

    private static func merge<Object: Model>(
        _ json: String, into type: Object.Type, _ store: Store, _ options: MergeOptions
    ) async throws -> MergeSummary {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("payload.json")
            try Data(json.utf8).write(to: file)
            return try await store.merge(contentsOf: file, into: type, options: options)
        }
    }
}

@Suite("A rejected record is rejected with its nested records and links")
struct RefusedRecordTests {
    private let kitchen: RuleFixture
    private let shop: RuleFixture

    init() throws {
        kitchen = try RuleFixture(KitchenSinkSchema.self)
        shop = try RuleFixture(ShopSchema.self)
    }

    private func thing(_ id: Int, slug: String, _ rest: String) -> String {
        """
        {"id": \(id), "name": "N", "days": [], "slug": "\(slug)", \
        "owner": {"country": "DE", "number": 7, "name": "Bo"}, \(rest)}
        """
    }

    private func things() throws -> [String] {
        try kitchen.rows("SELECT id, slug FROM everything ORDER BY id")
            + kitchen.rows("SELECT 'part', remote_id, whole_id FROM part ORDER BY remote_id")
            + kitchen.rows("SELECT 'cover', id, caption, thing_id FROM cover")
    }

    @Test("M11 M12 Its embedded records stay in place in any kind of delivery", arguments: PayloadRoad.allCases)
    func embedded(road: PayloadRoad) async throws {
        let nested = #""parts": [{"id": 3}, {"id": 4}], "cover": {"id": 1, "caption": "c"}"#
        try await kitchen.mergeOnce("[\(thing(2, slug: "s1", nested))]", into: Everything.self)
        let before = try things()
        let summary = try await road.merge([thing(1, slug: "s1", nested)], into: Everything.self, kitchen.store)
        #expect(try things() == before)
        #expect(!summary.hasChanges && summary.skipped.map(\.identity) == ["1"], "\(summary)")
        #expect(summary.notes.map(\.code) == [.uniqueConflict])
    }

    @Test("M11 M12 Its id lists are ignored in any kind of delivery", arguments: PayloadRoad.allCases)
    func identities(road: PayloadRoad) async throws {
        try await shop.mergeOnce(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, into: Tag.self)
        let summary = try await road.merge(
            [#"{"id": 2, "name": "a", "product_ids": [1, 2]}"#], into: Tag.self, shop.store)
        #expect(try shop.rows("SELECT id, name FROM tag ORDER BY id") == ["1 a", "2 b"])
        #expect(try shop.rows("SELECT * FROM product_tag") == [])
        #expect(!summary.hasChanges && summary.skipped.map(\.identity) == ["2"], "\(summary)")
    }

    @Test(
        "M11 Of two that want one value the smallest has it, in any piece", arguments: PayloadRoad.allCases)
    func smallest(road: PayloadRoad) async throws {
        let records = [5, 3, 9].map { #"{"id": \#($0), "name": "x", "product_ids": [\#($0)]}"# }
        let summary = try await road.merge(records, into: Tag.self, shop.store)
        #expect(try shop.rows("SELECT id, name FROM tag") == ["3 x"])
        #expect(try shop.rows("SELECT tag_id FROM product_tag") == ["3"])
        #expect(summary[Tag.self].inserted == 1)
        #expect(summary.skipped.map { "\($0.index) \($0.identity ?? "")" } == ["0 5", "2 9"])
    }

    @Test("M7 M12 The same if unlisted records are deleted", arguments: PayloadRoad.allCases)
    func deleting(road: PayloadRoad) async throws {
        let nested = #""parts": [{"id": 3}]"#
        try await kitchen.mergeOnce(
            "[\(thing(2, slug: "s2", nested)), \(thing(4, slug: "s4", #""parts": []"#))]", into: Everything.self)
        // 2 is deleted, so that 1 gets its value; 5 wants the value of 1.
        let summary = try await road.merge(
            [thing(5, slug: "s2", #""parts": [{"id": 5}]"#), thing(1, slug: "s2", #""parts": [{"id": 4}]"#)],
            into: Everything.self, kitchen.store, MergeOptions(records: .all))
        #expect(try kitchen.rows("SELECT id, slug FROM everything") == ["1 s2"])
        #expect(try kitchen.rows("SELECT remote_id FROM part") == ["4"])
        #expect(summary.skipped.map(\.identity) == ["5"] && summary[Everything.self].deleted == 2, "\(summary)")
    }

    @Test("M3 M11 The last value of a repeated record counts", arguments: PayloadRoad.allCases)
    func again(road: PayloadRoad) async throws {
        try await shop.mergeOnce(
            #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#, into: Tag.self)
        let other = try await road.merge(
            [#"{"id": 2, "name": "a"}"#, #"{"id": 2, "name": "d"}"#], into: Tag.self, shop.store)
        #expect(try shop.rows("SELECT id, name FROM tag ORDER BY id") == ["1 a", "2 d", "3 c"])
        #expect(other[Tag.self].updated == 1 && other.skipped.isEmpty, "\(other)")
        let same = try await road.merge(
            [#"{"id": 2, "name": "c"}"#, #"{"id": 2, "name": "d"}"#, #"{"id": 4, "name": "c"}"#], into: Tag.self,
            shop.store)
        #expect(try shop.rows("SELECT id, name FROM tag ORDER BY id") == ["1 a", "2 d", "3 c"])
        #expect(same.skipped.map(\.identity) == ["4"], "\(same)")
    }

    @Test("M11 M12 If the last record of a chain cannot change its value, none can", arguments: PayloadRoad.allCases)
    func chain(road: PayloadRoad) async throws {
        let count = road == .pages || road == .blanks ? 20 : 2_000
        let names = (0...count).map { #"{"id": \#($0), "name": "n\#($0)"}"# }
        try await shop.mergeOnce("[\(names.joined(separator: ","))]", into: Tag.self)
        let moved = (1...count).map { #"{"id": \#($0), "name": "n\#($0 - 1)"}"# }
        let summary = try await road.merge(
            road == .blanks ? Array(moved.prefix(3)) : moved.reversed(), into: Tag.self, shop.store)
        #expect(!summary.hasChanges)
        #expect(summary.skipped.count == (road == .blanks ? 3 : count))
    }

    @Test(
        "M12 A merge that aborts on a rejected record does so in any piece of the payload",
        arguments: PayloadRoad.allCases)
    func aborting(road: PayloadRoad) async throws {
        try await shop.mergeOnce(#"[{"id": 1, "name": "a"}]"#, into: Tag.self)
        let options = MergeOptions(invalidRecords: .abort)
        let error = await #expect(throws: MergeError.self) {
            try await road.merge(
                [#"{"id": 2, "name": "b"}"#, #"{"id": 3, "name": "a"}"#], into: Tag.self, shop.store, options)
        }
        #expect(error?.reason == "another record has the same name" && error?.index == 1)
        #expect(try shop.rows("SELECT id, name FROM tag") == ["1 a"])
    }
}
