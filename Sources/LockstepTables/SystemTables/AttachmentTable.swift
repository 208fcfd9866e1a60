package import Foundation
package import GRDB

/// The table in which a store records the transfers of its attachments. Whether a file exists locally, and how much of
/// it, is determined by the file itself.
///
/// | column | contents |
/// | --- | --- |
/// | `hash`, `server` | which bytes, and the server's name |
/// | `uploaded_at` | when the server was last known to have them, seconds since 1970; ends with a reference to them |
/// | `attempts`, `error` | failures since the last success, the last error |
/// | `retry_at`, `waits_since` | the time of the next attempt, and of the last one: ``StoredWait`` |
package enum AttachmentTable {
    package static let name = "lockstep_attachment"

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(name) (hash TEXT NOT NULL, server TEXT NOT NULL, uploaded_at REAL, \
        attempts INTEGER NOT NULL DEFAULT 0, retry_at REAL, error TEXT, waits_since REAL, \
        PRIMARY KEY (hash, server)) WITHOUT ROWID
        """
    ]

    /// Deletes the rows of bytes that are not used any more.
    package static func removeAll(but used: Set<String>, in database: Database) throws {
        guard try database.hasTable(name) else { return }
        let known = try String.fetchSet(database, sql: "SELECT DISTINCT hash FROM \(name)")
        for hash in known.subtracting(used) {
            try database.execute(sql: "DELETE FROM \(name) WHERE hash = ?", arguments: [hash])
        }
    }

    /// Whether the store has the table. A read-only store of an earlier version has none.
    package static func exists(_ database: Database) throws -> Bool { try database.hasTable(name) }

    /// The hashes of bytes that a server is known to have; of any server if `server` is `nil`.
    package static func uploaded(to server: String?, in database: Database) throws -> Set<String> {
        guard let server else {
            return try String.fetchSet(
                database, sql: "SELECT DISTINCT hash FROM \(name) WHERE uploaded_at IS NOT NULL")
        }
        let sql = "SELECT hash FROM \(name) WHERE server = ? AND uploaded_at IS NOT NULL"
        return try String.fetchSet(database, sql: sql, arguments: [server])
    }

    /// The hashes of bytes that a server is not known to have any more, or that a transfer has failed for.
    package static func notUploaded(to server: String, in database: Database) throws -> Set<String> {
        try String.fetchSet(
            database, sql: "SELECT hash FROM \(name) WHERE server = ? AND uploaded_at IS NULL", arguments: [server])
    }

    /// Forgets bytes that a server is not known to have, and that no record refers to.
    package static func forget(_ hashes: Set<String>, on server: String, in database: Database) throws {
        for hash in hashes {
            try database.execute(
                sql: "DELETE FROM \(name) WHERE hash = ? AND server = ? AND uploaded_at IS NULL",
                arguments: [hash, server])
        }
    }

    /// Makes each transfer due now that waits to be retried.
    package static func makeDue(_ database: Database) throws {
        guard try exists(database) else { return }
        try database.execute(sql: "UPDATE \(name) SET retry_at = NULL WHERE retry_at IS NOT NULL")
    }

    /// How often a transfer of some bytes failed since it last succeeded, and when it is retried.
    package struct Delay: Sendable {
        package let attempts: Int
        package let wait: StoredWait?
    }

    /// The delays of failed transfers, by hash.
    package static func delays(of server: String, in database: Database) throws -> [String: Delay] {
        let delays = try database.valueRows(
            """
            SELECT hash, attempts, retry_at, \(StoredWait.startSQL(of: name, in: database)) FROM \(name) WHERE server = ? AND attempts > 0
            """, with: [server.databaseValue]
        ).map { row in
            let wait = StoredWait(start: row.real(3), end: row.real(2))
            return (row.text(0) ?? "", Delay(attempts: AttemptCount.limited(row.integer(1)), wait: wait))
        }
        return Dictionary(delays) { first, _ in first }
    }

    /// Records that a server has the bytes.
    package static func recordUpload(_ hash: String, to server: String, at date: Date, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO \(name) (hash, server, uploaded_at) VALUES (?, ?, ?)
                ON CONFLICT (hash, server) DO UPDATE
                SET uploaded_at = excluded.uploaded_at, attempts = 0, retry_at = NULL, error = NULL
                """, arguments: [hash, server, date.timeIntervalSince1970])
    }

    /// Records that a transfer failed once more.
    ///
    /// - Parameter delay: How long to wait then, in seconds, by how often it has failed.
    package static func recordFailure(
        _ hash: String, of server: String, error: String, at date: Date, in database: Database,
        delay: (_ attempts: Int) -> TimeInterval
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO \(name) (hash, server, attempts, error) VALUES (?, ?, 1, ?)
                ON CONFLICT (hash, server) DO UPDATE \
                SET attempts = \(AttemptCount.incremented("attempts")), error = excluded.error
                """, arguments: [hash, server, error])
        let sql = "SELECT attempts FROM \(name) WHERE hash = ? AND server = ?"
        let attempts = try Int.fetchOne(database, sql: sql, arguments: [hash, server]) ?? 1
        try database.execute(
            sql: "UPDATE \(name) SET retry_at = ?, \(StoredWait.startColumn) = ? WHERE hash = ? AND server = ?",
            arguments: [
                date.timeIntervalSince1970 + delay(attempts), date.timeIntervalSince1970, hash, server,
            ])
    }
}
