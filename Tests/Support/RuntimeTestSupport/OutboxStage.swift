import GRDB
package import LockstepStore

/// A store in memory, with its outbox as short texts.
package struct OutboxStage {
    package let store: Store

    package init<Schema: StoreSchema>(_ schema: Schema.Type) throws {
        store = try Store(schema, at: .inMemory)
    }

    /// Writes as any program may.
    package func run(_ sql: String) throws {
        try store.writer.write { try $0.execute(sql: sql) }
    }

    /// Writes records of the server, which is not a local change.
    package func seed(_ sql: String) throws {
        try store.writer.write { database in
            try database.suppressOutbox()
            try database.execute(sql: sql)
            try database.resumeOutbox()
        }
    }

    /// The changes in their order: `update Room 1`. Changes of embedded records are listed as those of their
    /// owners.
    package func changes() throws -> [String] {
        let inside = store.plans.filter(\.travelsInside).map { OutboxSQL.literal($0.name) }.joined(separator: ", ")
        return try strings(
            """
            SELECT CASE change WHEN 0 THEN 'create' WHEN 1 THEN 'update' ELSE 'delete' END || ' ' || entity || ' ' || \
            record FROM lockstep_outbox WHERE entity NOT IN (\(inside)) ORDER BY id
            """)
    }

    /// The links: `+room_guard 1 a`.
    package func links() throws -> [String] {
        try strings(
            """
            SELECT CASE is_added WHEN 0 THEN '-' ELSE '+' END || join_table || ' ' || source || ' ' || destination \
            FROM lockstep_outbox_link ORDER BY join_table, source, destination
            """)
    }

    package func base(_ table: String) throws -> [String] { try rows("SELECT * FROM \"lockstep_base_\(table)\"") }

    package func rows(_ sql: String) throws -> [String] {
        try store.writer.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.map { "\($0.1)" }.joined(separator: " ")
            }
        }
    }

    package func strings(_ sql: String) throws -> [String] {
        try store.writer.read { try String.fetchAll($0, sql: sql) }
    }

    /// The server has confirmed everything.
    package func confirmAll() throws {
        let tables = try strings("SELECT name FROM sqlite_master WHERE name LIKE 'lockstep\\_base\\_%' ESCAPE '\\'")
        try run("DELETE FROM lockstep_outbox; DELETE FROM lockstep_outbox_link")
        for table in tables { try run("DELETE FROM \"\(table)\"") }
    }
}
