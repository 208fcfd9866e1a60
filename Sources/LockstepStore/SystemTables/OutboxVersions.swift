package import GRDB

/// The versions of pending changes: each edit of a record changes that of its change.
package enum OutboxVersions {
    /// The versions of all changes, by their identifiers.
    package static func all(_ database: Database) throws -> [Int64: Int64] {
        var versions: [Int64: Int64] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT id, version FROM \(OutboxTables.outbox)")
        while let row = try rows.next() { versions[row[0]] = row[1] }
        return versions
    }

    /// The version of a change; 0 if it is no longer pending.
    package static func version(of change: Int64, _ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT version FROM \(OutboxTables.outbox) WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [change]) ?? 0
    }
}
