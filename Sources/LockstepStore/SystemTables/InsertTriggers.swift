internal import CSQLiteConfiguration
package import GRDB
internal import GRDBSQLite

/// What inserting rows of an entity fires, and whether it can be done without.
///
/// SQLite keeps a journal of each statement that fires triggers, because the statement can fail midway. The journal
/// contains each page that the statement writes. Once one statement has written more than 64 kB, the journals of the
/// rest of the transaction are written to a temporary file. For 100,000 records, this takes more time than inserting
/// them, even if the triggers do nothing (https://www.sqlite.org/tempfiles.html#statement_journal_files).
package struct InsertTriggers {
    /// Whether nothing but the outbox has triggers that these inserts fire.
    package let areOutboxOnly: Bool
    /// Records a new record in the outbox as the triggers do, by its key; empty if they do nothing, and `nil` if they
    /// do more than that.
    let creation: String?

    /// With fewer rows, it is faster to fire the triggers: the connection prepares its statements again when triggers
    /// are disabled and enabled.
    package static let fewestRows = 500

    package init(of plan: EntityPlan, in database: Database) throws {
        let names = OutboxTriggers.insertNames(of: plan)
        // A trigger for another event may insert elsewhere: then this errs on the safe side.
        let sql = """
            SELECT name, sql FROM (SELECT type, name, tbl_name, sql FROM sqlite_master \
            UNION ALL SELECT type, name, tbl_name, sql FROM sqlite_temp_master) \
            WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE AND sql LIKE '%INSERT%' \
            AND (name IN (?2, ?3) OR substr(name, 1, ?4) <> ?5)
            """
        let prefix = OutboxTriggers.prefix
        let triggers = try database.valueRows(
            sql,
            [
                plan.table.databaseValue, names[0].databaseValue, names[1].databaseValue,
                prefix.utf8.count.databaseValue, prefix.databaseValue,
            ])
        let own = triggers.filter { names.map(\.databaseValue).contains($0[0]) }
        areOutboxOnly = own.count == triggers.count
        if own.isEmpty {
            creation = ""
        } else if own.count == 1, plan.tracks(.create), plan.tracks(.update) || !plan.tracks(.delete),
            String.fromDatabaseValue(own[0][1]) == OutboxTriggers.creationTrigger(of: plan)
        {
            creation = OutboxSQL.creation(of: plan)
        } else {
            creation = nil
        }
    }
}

extension Database {
    /// Disables all triggers of the connection while `body` runs.
    ///
    /// Use it only for statements whose triggers are known (``InsertTriggers``), and in one transaction.
    package func withoutTriggers<Value>(_ body: () throws -> Value) throws -> Value {
        try enableTriggers(false)
        let result = Result { try body() }
        try enableTriggers(true)
        return try result.get()
    }

    private func enableTriggers(_ isEnabled: Bool) throws {
        let code = lockstep_enable_triggers(sqliteConnection, isEnabled ? 1 : 0)
        guard code == SQLITE_OK else { throw lastError(code) }
    }
}
