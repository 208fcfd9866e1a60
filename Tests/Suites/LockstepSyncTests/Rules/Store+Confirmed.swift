import GRDB
import LockstepStore

extension Store {
    /// Marks the local records as the server's: nothing is pending.
    func confirmAll() throws {
        try writer.write { database in
            let bases = try String.fetchAll(
                database,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'lockstep\\_base\\_%' ESCAPE '\\'"
            )
            for table in ["lockstep_outbox", "lockstep_outbox_link"] + bases {
                try database.execute(sql: "DELETE FROM \"\(table)\"")
            }
        }
    }
}
