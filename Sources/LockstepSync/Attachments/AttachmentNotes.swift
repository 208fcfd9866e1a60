import Foundation
import GRDB
import LockstepStore

/// What a store notes of the travels of its attachments to and from one server.
struct AttachmentNotes: Sendable {
    let store: Store
    let server: String

    struct Delay {
        let attempts: Int
        let retryAt: Date?
    }

    /// The hashes of bytes that the server is known to have.
    func uploaded() async throws -> Set<String> {
        try await read { [server] database in
            let sql = "SELECT hash FROM lockstep_attachment WHERE server = ? AND uploaded_at IS NOT NULL"
            return try String.fetchSet(database, sql: sql, arguments: [server])
        } ?? []
    }

    /// The hashes of bytes that some server is known to have: they were sent there, or came from there.
    static func onAnyServer(_ store: Store) async throws -> Set<String> {
        try await AttachmentNotes(store: store, server: "").read { database in
            let sql = "SELECT DISTINCT hash FROM \(AttachmentTable.name) WHERE uploaded_at IS NOT NULL"
            return try String.fetchSet(database, sql: sql)
        } ?? []
    }

    /// What failed and is not to be tried before a time, by hash.
    func delays() async throws -> [String: Delay] {
        try await read { [server] database in
            let sql = "SELECT hash, attempts, retry_at FROM lockstep_attachment WHERE server = ? AND attempts > 0"
            let rows = try Row.fetchAll(database, sql: sql, arguments: [server])
            let delays = rows.map { row in
                let seconds: Double? = row[2]
                return (
                    row[0] as String, Delay(attempts: row[1], retryAt: seconds.map(Date.init(timeIntervalSince1970:)))
                )
            }
            return Dictionary(delays) { first, _ in first }
        } ?? [:]
    }

    /// Notes that the server has the bytes.
    func noteUploaded(_ hash: String, at date: Date) async throws {
        try await write { [server] database in
            try database.execute(
                sql: """
                    INSERT INTO lockstep_attachment (hash, server, uploaded_at) VALUES (?, ?, ?)
                    ON CONFLICT (hash, server) DO UPDATE
                    SET uploaded_at = excluded.uploaded_at, attempts = 0, retry_at = NULL, error = NULL
                    """, arguments: [hash, server, date.timeIntervalSince1970])
        }
    }

    /// Notes that it failed once more.
    ///
    /// - Parameter delay: How long to wait then, in seconds, by how often it has failed.
    func noteFailure(
        _ hash: String, _ error: SyncError, at date: Date, delay: @escaping @Sendable (_ attempts: Int) -> TimeInterval
    ) async throws {
        try await write { [server] database in
            try database.execute(
                sql: """
                    INSERT INTO lockstep_attachment (hash, server, attempts, error) VALUES (?, ?, 1, ?)
                    ON CONFLICT (hash, server) DO UPDATE SET attempts = attempts + 1, error = excluded.error
                    """, arguments: [hash, server, error.description])
            let sql = "SELECT attempts FROM lockstep_attachment WHERE hash = ? AND server = ?"
            let attempts = try Int.fetchOne(database, sql: sql, arguments: [hash, server]) ?? 1
            try database.execute(
                sql: "UPDATE lockstep_attachment SET retry_at = ? WHERE hash = ? AND server = ?",
                arguments: [date.timeIntervalSince1970 + delay(attempts), hash, server])
        }
    }

    /// - Returns: `nil` where nothing was noted yet.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value? {
        try await Self.wrapping {
            try await store.writer.read { database in
                try database.hasTable(AttachmentTable.name) ? try body(database) : nil
            }
        }
    }

    private func write(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await Self.wrapping {
            try await store.writer.write { database in
                try AttachmentTable.make(database)
                try body(database)
            }
        }
    }

    /// Runs `body`; an error of SQLite becomes a store's.
    static func wrapping<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as DatabaseError {
            throw StoreError(error, doing: "noting what travels of attachments")
        }
    }
}
