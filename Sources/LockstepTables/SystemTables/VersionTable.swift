import GRDB

/// The versions (ETag) that records had on the server when they were last read or written, kept for conditional writes
/// (Rules.md, C4).
package enum VersionTable {
    package static let table = "lockstep_version"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, version TEXT NOT NULL, \
        PRIMARY KEY (entity, record))
        """
    ]

    package static func version(of key: RecordKey, in plan: EntityPlan, database: Database) throws -> String? {
        guard try database.hasTable(table) else { return nil }
        return try database.valueRows(
            "SELECT version FROM \(table) WHERE \(plan.isRecord)", with: plan.record(key)
        ).first.flatMap { String.fromDatabaseValue($0[0]) }
    }

    /// The version of a record in a server's feed, which grows with each write (Rules.md, H3); `nil` if it is not
    /// known.
    package static func number(of key: RecordKey, in plan: EntityPlan, database: Database) throws -> Int64? {
        try version(of: key, in: plan, database: database).flatMap { Int64($0) }
    }

    /// Keeps a record's version; `nil` forgets it.
    package static func keep(_ version: String?, of key: RecordKey, in plan: EntityPlan, database: Database) throws {
        guard let version else {
            try database.change("DELETE FROM \(table) WHERE \(plan.isRecord)", with: plan.record(key))
            return
        }
        try database.change(
            "INSERT OR REPLACE INTO \(table) (version, entity, record) VALUES (?, ?, ?)",
            with: [version.databaseValue] + plan.record(key))
    }
}

/// The values of version attributes that a write has outdated and whose new value the server did not return (Rules.md,
/// C4).
///
/// A value is outdated as long as the record has it. Any other value was received from the server since.
package enum StaleVersionTable {
    static let table = "lockstep_stale_version"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, version, \
        PRIMARY KEY (entity, record))
        """
    ]

    package static func value(of key: RecordKey, in plan: EntityPlan, database: Database) throws -> DatabaseValue? {
        guard try database.hasTable(table) else { return nil }
        return try database.valueRows(
            "SELECT version FROM \(table) WHERE \(plan.isRecord)", with: plan.record(key)
        ).first?[0]
    }

    package static func keep(_ value: DatabaseValue, of key: RecordKey, in plan: EntityPlan, database: Database)
        throws
    {
        try database.change(
            "INSERT OR REPLACE INTO \(table) (version, entity, record) VALUES (?, ?, ?)",
            with: [value] + plan.record(key))
    }

    package static func forget(_ key: RecordKey, in plan: EntityPlan, database: Database) throws {
        try database.change("DELETE FROM \(table) WHERE \(plan.isRecord)", with: plan.record(key))
    }
}

/// The values of version attributes as the server has written them, if the store would write them in another way: a
/// date with more digits than it keeps, or in another zone (Rules.md, C4).
///
/// A row counts as long as the record has the value that was read from it.
package enum ReceivedVersionTable {
    static let table = "lockstep_received_version"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, version, json TEXT NOT NULL, \
        PRIMARY KEY (entity, record))
        """
    ]

    package static func hasRows(_ database: Database) throws -> Bool { try database.hasRows(table) }

    /// The JSON that a record's value was read from; `nil` if the store writes the same.
    package static func json(
        of value: DatabaseValue, key: RecordKey, in plan: EntityPlan, database: Database
    ) throws -> String? {
        guard try database.hasTable(table) else { return nil }
        return try database.valueRows(
            "SELECT CAST(json AS TEXT) FROM \(table) WHERE \(plan.isRecord) AND version IS ?",
            with: plan.record(key) + [value]
        ).first.flatMap { String.fromDatabaseValue($0[0]) }
    }

    package static func keep(
        _ json: String, of value: DatabaseValue, key: RecordKey, in plan: EntityPlan, database: Database
    ) throws {
        // Merging the same again writes nothing (M15).
        try database.change(
            """
            INSERT INTO \(table) (entity, record, version, json) VALUES (?, ?, ?, ?) \
            ON CONFLICT DO UPDATE SET version = excluded.version, json = excluded.json \
            WHERE version IS NOT excluded.version OR json <> excluded.json
            """, with: plan.record(key) + [value, json.databaseValue])
    }

    package static func forget(_ key: RecordKey, in plan: EntityPlan, database: Database) throws {
        try database.change("DELETE FROM \(table) WHERE \(plan.isRecord)", with: plan.record(key))
    }
}
