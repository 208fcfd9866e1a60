import GRDB
import GRDBSQLite
import KitchenSink
import LockstepStore
import RuntimeTestSupport
import Shop
import Testing

/// SQLite counts the steps of its virtual machine, including those in triggers: no clock is needed.
@Suite("The cost of an edit does not grow with the number of pending changes")
struct OutboxCostTests {
    private func steps(_ stage: OutboxStage, _ sql: String) throws -> Int32 {
        try stage.store.writer.write { database in
            let statement = try database.makeStatement(sql: sql)
            try statement.execute()
            return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 1)
        }
    }

    @Test("Integers, texts, composite keys, links and owned records")
    func flat() throws {
        let stage = try OutboxStage(KitchenSinkSchema.self)
        func fill(_ numbers: ClosedRange<Int>) throws {
            let (first, last) = (numbers.lowerBound, numbers.upperBound)
            let numbers = "WITH RECURSIVE n(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(last)) "
            try stage.run(numbers + "INSERT INTO keyword (id) SELECT i FROM n")
            try stage.run(numbers + "INSERT INTO label (id) SELECT 'l' || i FROM n")
            try stage.run(
                numbers + "INSERT INTO person (created_at, name, country, number) SELECT 0, 'x', 'D', i FROM n")
            try stage.run(numbers + "INSERT INTO cover (id, caption, thing_id) SELECT i, 'x', 1 FROM n")
            try stage.run(
                numbers + """
                    INSERT INTO everything (id, created_at, name, token, days, slug, owner_country, owner_number) \
                    SELECT i, 0, 'x', 't', '[]', i, 'D', 1 FROM n
                    """)
            try stage.run(numbers + "INSERT INTO everything_label SELECT i, 'l1', 0 FROM n")
        }
        let edits = [
            "UPDATE keyword SET class = 'a' || id WHERE id = 5", "UPDATE label SET colour = 'a' || id WHERE id = 'l5'",
            "UPDATE person SET name = 'a' || name WHERE number = 5 AND country = 'D'",
            "UPDATE cover SET thing_id = thing_id + 1 WHERE id = 5",
            "DELETE FROM everything_label WHERE everything_id = 5",
            "INSERT INTO scrap (text, everything_id) VALUES ('x', 5)",
        ]
        try fill(1...20)
        try stage.confirmAll()
        let few = try edits.map { try steps(stage, $0) }
        try fill(21...2000)
        try stage.run("INSERT INTO everything_label VALUES (5, 'l1', 0)")
        let many = try edits.map { try steps(stage, $0) }
        for (index, edit) in edits.enumerated() { #expect(many[index] < few[index] + 300, "\(edit)") }
    }
}
