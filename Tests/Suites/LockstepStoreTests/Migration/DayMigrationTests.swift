import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepTables

@Suite("V2 Days that were dates or texts, and become them")
struct DayMigrationTests {
    @Test(
        "No day is moved",
        arguments: [
            // A date with the pattern yyyy-MM-dd is midnight in UTC, as it was read and sent.
            (ScalarType.date, ScalarType.day, "1795737600.0", "2026-11-27"),
            (.date, .day, "1795823999.5", "2026-11-27"), (.date, .day, "-0.5", "1969-12-31"),
            (.day, .date, "'2026-11-27'", "1795737600.0"),
            (.day, .string, "'2026-11-27'", "2026-11-27"), (.string, .day, "'2026-11-27'", "2026-11-27"),
            (.string, .day, "'2026-11-27T00:00:00+13:00'", "2026-11-27"),
            // Which day these are depends on a time zone, or they are none.
            (.string, .day, "'2026-11-27T23:00:00Z'", "1970-01-01"), (.string, .day, "'27.11.2026'", "1970-01-01"),
            (.string, .day, "''", "1970-01-01"), (.string, .day, "'2026-02-29'", "1970-01-01"),
            (.int, .day, "20784", "1970-01-01"), (.day, .int, "'2026-11-27'", "0"),
        ])
    func values(former: ScalarType, new: ScalarType, stored: String, expected: String) async throws {
        var journal = SchemaStructure.journal
        journal.change("Entry") { $0.attributes.append(.init("due", .scalar(former))) }
        var builder = HistoryBuilder(journal)
        let answers =
            new == .string
            ? ChangeAnswers()
            : ChangeAnswers(
                convert: new == .int ? "number" : "text", otherwise: new == .day ? "1970-01-01" : .integer(0))
        try builder.version(answers: ["Entry.due": answers]) {
            $0.change("Entry") { $0.change("due") { $0.type = .scalar(new) } }
        }
        try builder.check(seeds: 1...2)
        try await withTemporaryFolder { [builder] folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let writer = try builder.open(1, at: file)
            try await writer.write { database in
                // With an edit, so that the value is also one of a base.
                try OutboxTable.suppressed(database) {
                    try database.execute(
                        sql: """
                            INSERT INTO entry (identifier, title, mood, timestamp, due)
                                VALUES ('a', 'A', 'sad', 0, \(stored))
                            """)
                }
                try database.execute(sql: "UPDATE entry SET title = 'B'")
            }
            try writer.close()
            let migrated = try builder.open(2, at: file)
            defer { try? migrated.close() }
            let texts = try await migrated.read { database in
                try String.fetchAll(
                    database, sql: "SELECT due FROM entry UNION ALL SELECT due FROM lockstep_base_entry")
            }
            #expect(texts == [expected, expected])
        }
    }
}
