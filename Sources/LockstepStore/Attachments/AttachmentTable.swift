package import GRDB

/// The table in which a store notes what has travelled of its attachments. Whether a file is here, and how much of it,
/// the file itself says.
///
/// | column | what it says |
/// | --- | --- |
/// | `hash`, `server` | which bytes, and the server's name |
/// | `uploaded_at` | when the server was known to have them, seconds since 1970 |
/// | `attempts`, `retry_at`, `error` | how often it failed since it last went well, when it is tried again, why |
package enum AttachmentTable {
    package static let name = "lockstep_attachment"

    static let statement = """
        CREATE TABLE IF NOT EXISTS lockstep_attachment (
            hash TEXT NOT NULL,
            server TEXT NOT NULL,
            uploaded_at REAL,
            attempts INTEGER NOT NULL DEFAULT 0,
            retry_at REAL,
            error TEXT,
            PRIMARY KEY (hash, server)
        ) WITHOUT ROWID
        """

    /// Makes the table where it is not there: a store gets it with the first attachment that travels.
    package static func make(_ database: Database) throws { try database.execute(sql: statement) }

    /// Forgets what was noted of bytes that nothing refers to.
    static func removeAll(but used: Set<String>, _ database: Database) throws {
        guard try database.hasTable(name) else { return }
        let known = try String.fetchSet(database, sql: "SELECT DISTINCT hash FROM lockstep_attachment")
        for hash in known.subtracting(used) {
            try database.execute(sql: "DELETE FROM lockstep_attachment WHERE hash = ?", arguments: [hash])
        }
    }
}
