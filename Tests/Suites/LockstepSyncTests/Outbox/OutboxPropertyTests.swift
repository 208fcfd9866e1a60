import Foundation
import GRDB
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Shop
import TestSupport
import Testing

/// Whatever was changed, the pending changes follow from the rows before and after; and discarding all of them
/// restores the rows before.
@Suite("The outbox after random changes")
struct OutboxPropertyTests {
    private static let tables = ["article", "article_comment", "product", "product_review", "image", "tag"]

    private static func statement(_ number: Int, _ random: inout SeededRandom) -> String {
        func id() -> Int { Int.random(in: 1...6, using: &random) }
        func link() -> String { Bool.random(using: &random) ? "NULL" : "\(id())" }
        let name = "'n\(number)'"
        return [
            "INSERT OR IGNORE INTO tag VALUES (\(id()), \(name))",
            "INSERT OR REPLACE INTO tag VALUES (\(id()), \(name))",
            "UPDATE tag SET name = \(name) || id WHERE id IN (\(id()), \(id()))",
            "DELETE FROM tag WHERE id = \(id())",
            "INSERT OR IGNORE INTO product (id, name) VALUES (\(id()), \(name))",
            "UPDATE product SET stock = (stock + \(id())) % 3 WHERE id <= \(id())",
            "DELETE FROM product WHERE id = \(id())",
            "INSERT OR IGNORE INTO product_tag VALUES (\(id()), \(id()))",
            "UPDATE OR IGNORE product_tag SET tag_id = \(id()) WHERE product_id = \(id())",
            "DELETE FROM product_tag WHERE product_id = \(id())",
            "INSERT OR IGNORE INTO product_review VALUES (\(id()), \(name), 'x', \(link()))",
            "UPDATE product_review SET product_id = \(link()) WHERE id = \(id())",
            "INSERT OR IGNORE INTO image VALUES (\(id()), 'https://x', \(name), \(link()))",
            "UPDATE image SET pictured_id = \(link()) WHERE id = \(id())",
            "INSERT OR IGNORE INTO article (id, title, body_text) VALUES (\(id()), \(name), 'x')",
            "INSERT OR IGNORE INTO article_comment VALUES (\(id()), \(name), 'x', \(link()))",
            "DELETE FROM article WHERE id = \(id())",
            "UPDATE OR IGNORE article SET id = \(id()) WHERE id = \(id())",
        ].randomElement(using: &random) ?? ""
    }

    /// The rows of each table by their keys.
    private static func rows(_ stage: OutboxStage) throws -> [String: [String: String]] {
        var all: [String: [String: String]] = [:]
        for table in tables {
            for row in try stage.store.writer.read({ try Row.fetchAll($0, sql: "SELECT * FROM \(table)") }) {
                let key: Int = row["id"]
                all[table, default: [:]]["\(key)"] = "\(row)"
            }
        }
        return all
    }

    @Test("P1 P3 The pending changes are the differences", arguments: Seeds.some(20, of: 1...40))
    func whatDiffers(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let stage = try OutboxStage(ShopSchema.self)
        for number in 0..<30 { try stage.seed(Self.statement(number, &random)) }
        let before = try Self.rows(stage)
        var history: [String] = []
        for number in 100..<140 {
            history.append(Self.statement(number, &random))
            try stage.run(history[history.count - 1])
        }
        let now = try Self.rows(stage)
        let changes = Set(try stage.changes())
        for plan in stage.store.plans where Self.tables.contains(plan.table) {
            let (old, new) = (before[plan.table] ?? [:], now[plan.table] ?? [:])
            for key in Set(old.keys).union(new.keys) {
                let kinds = ["create", "update", "delete"].filter { changes.contains("\($0) \(plan.name) \(key)") }
                switch (old[key], new[key]) {
                case (nil, _): #expect(kinds == ["create"], "\(plan.name) \(key)")
                case (_, nil): #expect(kinds == ["delete"], "\(plan.name) \(key)")
                // A record whose link belongs to another record's change may have no pending change itself.
                case (let old, let new):
                    let mayRest = old == new || plan.name == "Image"
                    #expect(kinds == ["update"] || kinds == [] && mayRest, "\(plan.name) \(key)")
                }
            }
        }
        let known = stage.store.plans.flatMap { plan in
            Set((before[plan.table] ?? [:]).keys).union((now[plan.table] ?? [:]).keys).map { "\(plan.name) \($0)" }
        }
        let waiting = changes.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(Set(waiting).isSubset(of: known))
        #expect(waiting.count == Set(waiting).count)
    }
}
