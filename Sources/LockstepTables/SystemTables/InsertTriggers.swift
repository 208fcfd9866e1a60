internal import CSQLiteConfiguration
package import GRDB
internal import GRDBSQLite
import LockstepEvolution

/// The triggers that inserting rows of an entity fires, and whether the inserts can do without them.
///
/// SQLite keeps a journal of each statement that fires triggers, because the statement can fail midway. The journal
/// contains each page that the statement writes. Once one statement has written more than 64 kB, the journals of the
/// rest of the transaction are written to a temporary file (https://www.sqlite.org/tempfiles.html). For 100,000 records
/// that the outbox records, this takes more time than the inserts.
package struct InsertTriggers {
    /// How a new record gets into the outbox without the triggers.
    package enum Creation: Equatable, Sendable {
        /// The triggers do nothing.
        case notRecorded
        /// A statement whose arguments are the record's key does what the triggers do.
        case statement(String)
        /// Only the triggers know.
        case byTriggers
    }

    /// Whether nothing but the outbox has triggers that these inserts fire.
    package let areOutboxOnly: Bool
    package let creation: Creation

    /// With fewer rows, it is faster to fire the triggers: the connection prepares its statements again when triggers
    /// are disabled and enabled.
    package static let fewestRows = 500

    package init(of plan: EntityPlan, in database: Database) throws {
        let names = OutboxTriggers.insertNames(of: plan).map(\.databaseValue)
        // A trigger for another event may insert elsewhere: then this errs on the safe side. The app may have redefined
        // LIKE. It may have triggers on the outbox, too.
        let sql = """
            SELECT name, sql FROM (SELECT type, name, tbl_name, sql FROM sqlite_master \
            UNION ALL SELECT type, name, tbl_name, sql FROM sqlite_temp_master) \
            WHERE type = 'trigger' AND (tbl_name = ?1 COLLATE NOCASE OR tbl_name = ?2 COLLATE NOCASE) \
            AND instr(upper(sql), 'INSERT') > 0 AND (name IN (?3, ?4) OR substr(name, 1, ?5) <> ?6)
            """
        let prefix = OutboxTriggers.prefix
        let triggers = try database.valueRows(
            sql,
            with: [plan.table.databaseValue, OutboxTables.outbox.databaseValue] + names
                + [prefix.utf8.count.databaseValue, prefix.databaseValue])
        let own = triggers.filter { names.contains($0[0]) }
        areOutboxOnly = own.count == triggers.count
        if own.isEmpty {
            creation = .notRecorded
        } else if own.count == 1, plan.tracks(.create), plan.tracks(.update) || !plan.tracks(.delete),
            String.fromDatabaseValue(own[0][1]) == OutboxTriggers.creationTrigger(of: plan)
        {
            creation = .statement(OutboxSQL.creation(of: plan))
        } else {
            creation = .byTriggers
        }
    }
}

extension Database {
    /// Runs `body`, which inserts rows of an entity. The outbox must be suppressed, and GRDB and the store must have
    /// been told about the inserts. The triggers would do nothing; for many rows, they are disabled.
    package func insertRows(
        _ count: Int, firing triggers: @autoclosure () throws -> InsertTriggers, body: () throws -> Void
    ) throws {
        let areIdle = try count >= InsertTriggers.fewestRows && triggers().areOutboxOnly
        try areIdle ? withoutTriggers(body) : body()
    }

    /// Disables the triggers of the connection while `body` runs, except temporary ones.
    ///
    /// Use it only in one transaction, and for statements whose triggers are known to do nothing
    /// (``InsertTriggers``), or whose triggers must not run, such as those of a migration. In an open store, GRDB and
    /// the store must know already what the statements change, since they learn of it from the triggers.
    package func withoutTriggers<Value>(_ body: () throws -> Value) throws -> Value {
        let wereEnabled = try enableTriggers(-1)
        try enableTriggers(0)
        let result = Result { try body() }
        try enableTriggers(wereEnabled)
        return try result.get()
    }

    /// - Returns: The resulting setting.
    @discardableResult
    private func enableTriggers(_ isEnabled: Int32) throws -> Int32 {
        var current: Int32 = 0
        let code = lockstep_enable_triggers(sqliteConnection, isEnabled, &current)
        guard code == SQLITE_OK else { throw lastError(code) }
        return current
    }
}
