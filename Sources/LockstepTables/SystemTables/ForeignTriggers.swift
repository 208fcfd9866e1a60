package import GRDB

/// The triggers on a store's tables that neither its schema nor the library has made.
///
/// SQLite runs their statements whenever the store writes these tables. An app may have made them, and a file from
/// elsewhere may bring them. Those with names of the outbox's are not among them: opening a store makes these anew if
/// one is not the library's (``SystemTables/isMade(_:)``).
package struct ForeignTriggers {
    /// By their tables and names.
    package let triggers: [(table: String, name: String)]

    /// - Parameter plans: The entities of the schema. The tables are theirs, those of their relationships, and the
    ///   library's.
    package init(_ plans: SchemaPlan, in database: Database) throws {
        let statements = plans.triggers
        let tables = Set((plans.map(\.table) + plans.joinTables).map { $0.lowercased() })
        let made = Set(statements)
        // Only for a file in which a trigger has another text.
        lazy var effects = Set(statements.map(Self.effect))
        let sql = """
            SELECT CAST(tbl_name AS TEXT), CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_master \
            WHERE type = 'trigger' AND substr(name, 1, ?) <> ? ORDER BY lower(tbl_name), name
            """
        let prefix = OutboxTriggers.prefix
        let rows = try database.valueRows(sql, with: [prefix.utf8.count.databaseValue, prefix.databaseValue])
        triggers = rows.compactMap { row in
            let (table, name, sql) = (row.text(0) ?? "", row.text(1) ?? "", row.text(2) ?? "")
            let isOnOwn = tables.contains(table.lowercased()) || SystemTables.isSystemTable(table.lowercased())
            guard isOnOwn, !made.contains(sql), !effects.contains(Self.effect(sql)) else { return nil }
            return (table, name)
        }
    }

    /// When a trigger runs, and what it does then.
    ///
    /// The name may be another one in a migrated file, earlier versions of the library broke lines elsewhere, and what
    /// a delete rule does is in the order in which the schema declares it.
    private static func effect(_ sql: String) -> [String] {
        let parts = sql.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        let isNamed = parts.count == 3 && parts[0] == "CREATE TRIGGER "
        let words = (isNamed ? parts[2] : sql[...]).split(whereSeparator: \.isWhitespace)
        let event = words.prefix { $0 != "BEGIN" }
        let statements = words.dropFirst(event.count + 1).joined(separator: " ").split(separator: ";")
        return [event.joined(separator: " ")] + statements.map { $0.trimmingPrefix(" ") }.map(String.init).sorted()
    }

    /// The findings that are reported to the app when it opens a store: one for each table.
    package func findings(_ plans: SchemaPlan) -> [StoreFinding] {
        let names = plans.reduce(into: [:]) { $0[$1.table.lowercased()] = $1.name }
        return Dictionary(grouping: triggers) { $0.table.lowercased() }.sorted { $0.key < $1.key }.map { table, found in
            StoreFinding(.foreignTriggers, entity: names[table] ?? table, triggers: found.map(\.name))
        }
    }
}
