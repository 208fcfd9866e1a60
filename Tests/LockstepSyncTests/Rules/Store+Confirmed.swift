import GRDB
import LockstepStore

extension Store {
    /// Takes what is here for what the server has, too: nothing is pending.
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
