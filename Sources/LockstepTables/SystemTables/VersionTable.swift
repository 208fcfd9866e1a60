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

/// What the server has written last of a version attribute, if the store would write its value in another way: a date
/// with more digits than it keeps, or in another zone; or `null`, if a write has outdated the value and the server did
/// not return the next one (Rules.md, C4).
///
/// A row counts as long as the record has the value that it was written for.
package enum ReceivedVersionTable {
    static let table = "lockstep_received_version"
    /// The JSON of a version that is not known.
    package static let unknown = "null"
    /// Where an earlier version of the library has kept outdated values.
    private static let formerTable = "lockstep_stale_version"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, version, json TEXT NOT NULL, \
        PRIMARY KEY (entity, record))
        """
    ]

    /// Takes over the outdated values of an earlier version of the library.
    static func takeFormer(_ database: Database) throws {
        guard try database.hasTable(formerTable) else { return }
        // A file from elsewhere may have any table of this name.
        if try ["entity", "record", "version"].allSatisfy({ try database.hasColumn($0, in: formerTable) }) {
            try database.execute(
                sql: """
                    INSERT INTO \(table) (entity, record, version, json) \
                    SELECT entity, record, version, '\(unknown)' FROM \(formerTable) \
                    WHERE entity IS NOT NULL AND record IS NOT NULL \
                    ON CONFLICT DO UPDATE SET json = excluded.json WHERE version IS excluded.version
                    """)
        }
        try database.execute(sql: "DROP TABLE \(formerTable)")
    }

    package static func hasRows(_ database: Database) throws -> Bool { try database.hasRows(table) }

    /// What the server has written last; `nil` if the store writes the same.
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
