import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepSystem
import Shop
import TestSupport
import Testing

@Suite("Hooks without changes")
struct HookAgreementTests {
    @Test(
        "M14 M11 A merge with hooks that change nothing equals a merge without hooks",
        arguments: Seeds.some(12, of: 0...24))
    func agreement(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let plain = try Store(ShopSchema.self, at: .inMemory)
        let hooked = try Store(ShopSchema.self, at: .inMemory)
        let inserted = Locked<[String: Int]>([:])
        hooked.customizeMerge(
            of: Product.self,
            MergeCustomization(
                willInsert: { json, _ in
                    if case .integer(let id)? = json["id"] { inserted.withLock { $0["\(id)", default: 0] += 1 } }
                    return json
                }, willUpdate: { json, _ in json }))
        hooked.customizeMerge(of: Picture.self, Self.identity())
        hooked.customizeMerge(of: Image.self, Self.identity())
        for _ in 0..<4 {
            var options = MergeOptions(records: Bool.random(using: &random) ? .all : [.insert, .update])
            if Bool.random(using: &random) { options.nested = [.insert, .update] }
            if Bool.random(using: &random) { options.missingKeys = .empty }
            let json = Data(Self.payload(&random).utf8)
            let expected = try await plain.merge(json, into: Product.self, options: options)
            inserted.withLock { $0 = [:] }
            let summary = try await hooked.merge(json, into: Product.self, options: options)
            // Of a record that the payload repeats, one copy is inserted, and the others update it.
            let skipped = Set(summary.skipped.filter { $0.entity == "Product" }.compactMap(\.identity))
            let counts = inserted.withLock { $0.filter { !skipped.contains($0.key) } }
            #expect(counts.values.allSatisfy { $0 == 1 }, "\(String(decoding: json, as: UTF8.self))")
            for outcome in MergeOutcome.allCases {
                #expect(summary[Product.self].count(outcome) == expected[Product.self].count(outcome))
                #expect(summary[Picture.self].count(outcome) == expected[Picture.self].count(outcome))
                #expect(summary[Image.self].count(outcome) == expected[Image.self].count(outcome))
            }
            // Records nested in a skipped record are not even read.
            #expect(Set(expected.skipped.map(\.description)).isSuperset(of: summary.skipped.map(\.description)))
            #expect(try await Self.rows(hooked) == Self.rows(plain), "\(String(decoding: json, as: UTF8.self))")
        }
    }

    private static func identity<Object: Model>() -> MergeCustomization<Object> {
        MergeCustomization(willInsert: { json, _ in json }, willUpdate: { json, _ in json })
    }

    /// Products with pictures, some twice, some invalid.
    private static func payload(_ random: inout SeededRandom) -> String {
        let products = (0..<Int.random(in: 0...6, using: &random)).map { _ in product(&random) }
        return "[\(products.joined(separator: ", "))]"
    }

    private static func product(_ random: inout SeededRandom) -> String {
        var members = ["\"id\": \(Int.random(in: 1...5, using: &random))"]
        if Int.random(in: 0..<5, using: &random) > 0 {
            members.append("\"name\": \"\(["a", "b\\n", "ö"].randomElement(using: &random) ?? "")\"")
        }
        if Bool.random(using: &random) {
            members.append(
                "\"price\": \(["1.50", "\"2.25\"", "-1", "null", "1e2"].randomElement(using: &random) ?? "0")")
        }
        if Bool.random(using: &random) {
            let pictures = (0..<Int.random(in: 0...3, using: &random)).map { _ in picture(&random) }
            members.append("\"images\": [\(pictures.joined(separator: ", "))]")
        }
        if Bool.random(using: &random) {
            members.append("\"image\": \(Bool.random(using: &random) ? "null" : picture(&random))")
        }
        if Bool.random(using: &random) {
            members.append("\"tag_ids\": [\(Int.random(in: 1...3, using: &random)), 4]")
        }
        return "{\(members.shuffled(using: &random).joined(separator: ", "))}"
    }

    private static func picture(_ random: inout SeededRandom) -> String {
        let title = Bool.random(using: &random) ? ", \"title\": \"t\(Int.random(in: 0...2, using: &random))\"" : ""
        let url = Int.random(in: 0..<6, using: &random) > 0 ? "\"http://a\"" : "7"
        return "{\"id\": \(Int.random(in: 1...6, using: &random)), \"url\": \(url)\(title)}"
    }

    private static func rows(_ store: Store) async throws -> [String] {
        try await store.writer.read { database in
            try ["product", "picture", "image", "product_tag", "tag"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
            }
        }
    }
}
