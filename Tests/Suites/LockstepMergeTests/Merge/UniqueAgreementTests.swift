import Foundation
import GRDB
import LockstepStore
import LockstepSync
import Shop
import TestSupport
import Testing

@Suite("Random unique values")
struct UniqueAgreementTests {
    @Test(
        "M11 M15 Any order of a payload results in the same rows; merging it again writes nothing",
        arguments: Seeds.some(20, of: 0...39))
    func anyOrder(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let names = ["a", "b", "c", "d", "e", "f"]
        let before = Dictionary(uniqueKeysWithValues: zip(1...5, names.shuffled(using: &random)))
        let payload = (1...7).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }.map { id in
            "{\"id\": \(id), \"name\": \"\(names.randomElement(using: &random) ?? "a")\"}"
        }
        var options = MergeOptions()
        if seed % 3 == 0 { options.records = .all }
        var rows: [[String]] = []
        for _ in 0..<3 {
            let store = try Store(ShopSchema.self, at: .inMemory)
            try await store.writer.write { database in
                for (id, name) in before {
                    try database.execute(sql: "INSERT INTO tag (id, name) VALUES (?, ?)", arguments: [id, name])
                }
                // The server has confirmed them.
                try database.execute(sql: "DELETE FROM lockstep_outbox")
            }
            let json = "[\(payload.shuffled(using: &random).joined(separator: ", "))]"
            let summary = try await store.merge(json, into: Tag.self, options: options)
            rows.append(try await Self.tags(store))
            #expect(summary.skipped.allSatisfy { $0.reason == "another record has the same name" })
            // Skipped records are unchanged.
            for id in summary.skipped.compactMap({ $0.identity.flatMap { Int($0) } }) {
                let stored = rows[rows.count - 1].first { $0.hasPrefix("\(id) ") }
                #expect(stored == before[id].map { "\(id) \($0)" }, "\(json) \(summary)")
            }
            // Another merge may give a skipped record a value that became free; then there is nothing to do.
            var last = summary
            for _ in 0..<8 where last.hasChanges {
                last = try await store.merge(json, into: Tag.self, options: options)
            }
            #expect(!last.hasChanges, "\(json) \(last)")
        }
        #expect(rows[0] == rows[1] && rows[1] == rows[2], "\(before) \(payload)")
    }

    private static func tags(_ store: Store) async throws -> [String] {
        try await store.writer.read { try String.fetchAll($0, sql: "SELECT id || ' ' || name FROM tag ORDER BY id") }
    }
}
