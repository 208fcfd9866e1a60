@testable import LockstepEvolution
@testable import LockstepReview
import ServerTestSupport
import TestSupport
import Testing

/// Seeded changes of seeded schemas.
@Suite("PostgreSQL in two files, for any change", .enabled(if: PostgreSQLServer.isWanted))
struct RandomPostgreSQLTests {
    private static let seeds = 1...UInt64(Seeds.count(60, of: 200))

    @Test(
        "The tables are those of the new schema, with every row, also those that were added in between",
        arguments: seeds)
    func seeded(seed: UInt64) throws {
        var schema = RandomTables(seed: seed)
        let old = schema.text
        for _ in 0..<Int(1 + seed % 4) { schema.change() }
        let tables = try PostgreSQLTables(old, schema.text, renames: schema.renames)
        var rows = RandomRows(seed: seed, from: 0)
        let counted = tables.evolution.entities.filter { $1.origin != nil }.keys.sorted()
        let kept = tables.evolution.new.entities.filter { counted.contains($0.name) }
        let query = kept.map { "SELECT count(*) FROM \(PostgreSQLText.name($0.table));\n" }.joined()
        let added = rows.statements(for: tables.evolution.former)
        let between = rows.statements(for: tables.evolution.former)
        let comment = "seed \(seed)\n\(old)\n\n\(schema.text)"
        do {
            let counts = try tables.run(rows: added, between: between, query: query, comment: comment)
            #expect(counts == kept.map { _ in "6" }, "\(comment)")
        } catch {
            Issue.record("\(error)\n\(comment)\n\(tables.expand)\n\(tables.contract)")
        }
    }
}
