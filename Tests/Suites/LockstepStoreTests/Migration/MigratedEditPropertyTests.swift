import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepTables

/// Files with any edits, which a later version has less or more room for.
@Suite("V3 V5 Edits of a file whose schema changes")
struct MigratedEditPropertyTests {
    @Test(
        "V1 V3 V5 An added attribute is not edited, and exactly the edits of a removed one are kept as leftovers",
        arguments: Seeds.some(4, of: UInt64(0)...199))
    func edits(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var builder = HistoryBuilder(.journal)
        let isOptional = random.isOne(in: 2)
        try builder.version { structure in
            structure.change("Entry") { entity in
                entity.attributes.removeAll { $0.name == "bodyText" }
                entity.attributes.append(.init("token", .scalar(.uuid), isOptional: isOptional, default: .newUUID))
            }
        }
        let texts: [String?] = [nil, "", "rain", "sun"]
        let rows = (1...6).map { number in
            (
                key: "00000000-0000-4000-8000-00000000000\(number)", former: random.element(of: texts),
                text: random.element(of: texts), isRetitled: random.isOne(in: 3)
            )
        }
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let first = try open(builder, 1, url)
            try await first.write { database in
                try OutboxTable.suppressed(database) {
                    for row in rows {
                        try database.execute(
                            sql:
                                "INSERT INTO entry (identifier, title, body_text, mood, timestamp) VALUES (?, 't', ?, 'sad', 0)",
                            arguments: [row.key, row.former])
                    }
                }
                for row in rows {
                    try database.execute(
                        sql: "UPDATE entry SET body_text = ? WHERE identifier = ?", arguments: [row.text, row.key])
                    guard row.isRetitled else { continue }
                    try database.execute(sql: "UPDATE entry SET title = 'u' WHERE identifier = ?", arguments: [row.key])
                }
            }
            try first.close()
            let second = try open(builder, 2, url)
            let (pending, leftovers, others) = try await second.read { database in
                (
                    try String.fetchAll(database, sql: "SELECT record FROM lockstep_outbox ORDER BY 1"),
                    try String.fetchAll(
                        database, sql: "SELECT record FROM lockstep_leftover WHERE member = 'bodyText' ORDER BY 1"),
                    try Int.fetchOne(
                        database,
                        sql: """
                            SELECT COUNT(*) FROM entry JOIN lockstep_base_entry AS base USING (identifier) \
                            WHERE entry.token IS NOT base.token OR entry.token IS NULL
                            """)
                )
            }
            let state: Comment = "\(rows)"
            #expect(pending.count == rows.count { $0.isRetitled }, state)
            #expect(leftovers.count == rows.count { $0.former != $0.text }, state)
            #expect(others == 0, state)
            try second.close()
        }
    }

    private func open(_ builder: HistoryBuilder, _ version: Int, _ url: URL) throws -> any DatabaseWriter {
        try StoreOpening(
            schema: builder.schema(version).description, location: .file(url), configuration: Configuration(),
            options: MigrationOptions()
        ).open().writer
    }
}
