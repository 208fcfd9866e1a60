package import GRDB

/// The versions of pending changes: each edit of a record changes that of its change.
package enum OutboxVersions {
    /// The versions of all changes, by their identifiers.
    package static func all(_ database: Database) throws -> [Int64: Int64] {
        let rows = try database.valueRows("SELECT id, version FROM \(OutboxTables.outbox)")
        return Dictionary(
            rows.map { (Int64.fromDatabaseValue($0[0]) ?? 0, Int64.fromDatabaseValue($0[1]) ?? 0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The version of a change; 0 if it is no longer pending.
    package static func version(of change: Int64, in database: Database) throws -> Int64 {
        let sql = "SELECT version FROM \(OutboxTables.outbox) WHERE id = ?"
        let version = try RawStatement(kept: sql, in: database).firstValue([change.databaseValue])
        return version.flatMap(Int64.fromDatabaseValue) ?? 0
    }
}
