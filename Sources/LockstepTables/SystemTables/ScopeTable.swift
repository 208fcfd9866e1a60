package import Foundation
package import GRDB
package import LockstepJSON

/// The scope that each record belongs to according to the server's feed, and the reading of the feed that has last
/// contained the record (Rules.md, H3). The record's version is in ``VersionTable``.
///
/// | column | contents |
/// | --- | --- |
/// | `entity`, `record` | the entity's name, and the record's key: ``EntityPlan/recordText(_:)`` |
/// | `scope` | the scope; `NULL` if the feed has never named it |
/// | `reading` | the number of the reading, or ``withdrawn`` or ``confirmed`` |
package enum ScopeTable {
    static let table = "lockstep_scope"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, record NOT NULL, scope TEXT, \
        reading INTEGER NOT NULL, PRIMARY KEY (entity, record)) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS \(table)_open ON \(table) (entity) WHERE reading <= 0",
    ]

    package struct Row: Sendable, Equatable {
        package var scope: String?
        package var reading: Int64

        package init(scope: String?, reading: Int64) {
            self.scope = scope
            self.reading = reading
        }

        /// Whether the server has withdrawn the record.
        package var isWithdrawn: Bool { reading == ScopeTable.withdrawn }
    }

    /// The reading of a record that the server has withdrawn, and that must stay for now.
    package static let withdrawn: Int64 = 0
    /// That of a record that the server has confirmed, and that the feed has not had yet.
    package static let confirmed: Int64 = -1

    package static func row(of key: RecordKey, in plan: EntityPlan, database: Database) throws -> Row? {
        try database.valueRows(
            "SELECT scope, reading FROM \(table) WHERE \(plan.isRecord)", with: plan.record(key)
        ).first.map { Row(scope: $0.text(0), reading: Int64.fromDatabaseValue($0[1]) ?? withdrawn) }
    }

    /// What a page of the feed has said of a record.
    package struct Mention: Sendable {
        let key: RecordKey
        let scope: String
        /// `nil` if it does not count.
        let version: Int64?

        package init(_ key: RecordKey, scope: String, version: Int64? = nil) {
            (self.key, self.scope, self.version) = (key, scope, version)
        }
    }

    /// Keeps the scopes of records, and the versions of those that have one.
    package static func keep(
        _ mentions: [Mention], in reading: Int64, of plan: EntityPlan, database: Database
    ) throws {
        if mentions.isEmpty { return }
        let list = JSONValue.array(
            mentions.map { mention in
                .array([
                    .string(plan.recordText(mention.key)), .string(mention.scope),
                    mention.version.map { .string(String($0)) } ?? .null,
                ])
            })
        let arguments = [plan.name.databaseValue, StoredJSON.text(of: list).databaseValue]
        // Merging the same again writes nothing (M15).
        try database.change(
            """
            INSERT INTO \(table) (entity, record, scope, reading) \
            SELECT ?1, json_extract(value, '$[0]'), json_extract(value, '$[1]'), ?3 FROM json_each(?2) WHERE true \
            ON CONFLICT DO UPDATE SET scope = excluded.scope, reading = excluded.reading \
            WHERE scope IS NOT excluded.scope OR reading <> excluded.reading
            """, with: arguments + [reading.databaseValue])
        try database.change(
            """
            INSERT INTO \(VersionTable.table) (entity, record, version) \
            SELECT ?1, json_extract(value, '$[0]'), json_extract(value, '$[2]') FROM json_each(?2) \
            WHERE json_extract(value, '$[2]') IS NOT NULL \
            ON CONFLICT DO UPDATE SET version = excluded.version WHERE version <> excluded.version
            """, with: arguments)
    }

    /// What the store knows of a record.
    package struct Known: Sendable {
        package let row: Row?
        /// The version in the feed.
        package let version: Int64?

        package init(row: Row?, version: Int64?) { (self.row, self.version) = (row, version) }
    }

    /// What the store knows of records, by ``EntityPlan/recordText(_:)``.
    package static func known(
        _ keys: [RecordKey], of plan: EntityPlan, in database: Database
    ) throws -> [ExactText: Known] {
        let list = JSONValue.array(keys.map { .string(plan.recordText($0)) })
        let rows = try database.valueRows(
            """
            SELECT key.value, own.reading, own.scope, CAST(known.version AS TEXT) FROM json_each(?2) AS key \
            LEFT JOIN \(table) AS own ON own.entity = ?1 AND own.record = key.value \
            LEFT JOIN \(VersionTable.table) AS known ON known.entity = ?1 AND known.record = key.value \
            WHERE own.reading IS NOT NULL OR known.version IS NOT NULL
            """, with: [plan.name.databaseValue, StoredJSON.text(of: list).databaseValue])
        return Dictionary(
            rows.compactMap { row in
                guard let record = row.text(0) else { return nil }
                let known = Known(
                    row: Int64.fromDatabaseValue(row[1]).map { Row(scope: row.text(2), reading: $0) },
                    version: row.text(3).flatMap { Int64($0) })
                return (ExactText(record), known)
            }
        ) { first, _ in first }
    }

    /// Keeps the version that a response of a server with a feed had of a record. If it is a new one, the feed is yet
    /// to say which scope the record belongs to now.
    ///
    /// - Parameters:
    ///   - version: `nil` if the response had none.
    ///   - isKept: Whether the record was merged. Otherwise, the feed still has to bring what the response had.
    package static func noteResponse(
        version: String?, isKept: Bool = true, of key: RecordKey, in plan: EntityPlan, at now: Date, database: Database
    ) throws {
        let record = plan.recordText(key)
        let known = try known([key], of: plan, in: database)[ExactText(record)]
        if isKept, let version { try VersionTable.keep(version, of: key, in: plan, database: database) }
        if let known, known.row != nil {
            // What the feed has brought does not come again.
            guard let number = version.flatMap({ Int64($0) }), known.version.map({ number > $0 }) ?? true else {
                return
            }
        }
        try ConfirmedTable.note([(plan, key)], at: now, in: database)
        try keep(confirmed, of: record, in: plan, database: database)
    }

    /// Keeps the reading of a record in whatever scope it is.
    private static func keep(_ reading: Int64, of record: String, in plan: EntityPlan, database: Database) throws {
        try database.change(
            """
            INSERT INTO \(table) (entity, record, scope, reading) VALUES (?, ?, NULL, ?) \
            ON CONFLICT DO UPDATE SET reading = excluded.reading
            """, with: [plan.name.databaseValue, record.databaseValue, reading.databaseValue])
    }

    package static func forget(_ key: RecordKey, in plan: EntityPlan, database: Database) throws {
        try forget([plan.recordText(key)], of: plan, in: database)
    }

    // MARK: Readings

    /// The number of the last reading that has contained a record; 0 if there is none.
    package static func lastReading(_ database: Database) throws -> Int64 {
        guard try database.hasTable(table) else { return 0 }
        return try Int64.fetchOne(database, sql: "SELECT MAX(reading) FROM \(table)") ?? 0
    }

    /// The records of an entity that a reading has contained, by ``EntityPlan/recordText(_:)``.
    package static func records(of plan: EntityPlan, in reading: Int64, database: Database) throws -> Set<String> {
        try records("entity = ? AND reading = ?", with: [plan.name.databaseValue, reading.databaseValue], in: database)
    }

    /// The records of an entity that the server has confirmed, and that the feed has not had yet.
    package static func confirmedRecords(of plan: EntityPlan, in database: Database) throws -> Set<String> {
        try openRecords(of: plan, in: confirmed, database: database)
    }

    /// The condition `reading <= 0` is that of the index.
    private static func openRecords(
        of plan: EntityPlan, in reading: Int64, database: Database
    ) throws -> Set<String> {
        try records(
            "entity = ? AND reading <= 0 AND reading = ?", with: [plan.name.databaseValue, reading.databaseValue],
            in: database)
    }

    // MARK: Withdrawn records

    /// The records of an entity that belong to a scope and were not withdrawn before.
    package static func records(
        of plan: EntityPlan, inScope scope: String, database: Database
    ) throws -> Set<String> {
        try records(
            "entity = ? AND scope = ? AND reading <> \(withdrawn)",
            with: [plan.name.databaseValue, scope.databaseValue], in: database)
    }

    /// Notes that the server has withdrawn records.
    ///
    /// - Parameter records: ``EntityPlan/recordText(_:)`` of each.
    package static func withdraw(_ records: Set<String>, of plan: EntityPlan, in database: Database) throws {
        for record in records { try keep(withdrawn, of: record, in: plan, database: database) }
    }

    /// Whether there are records that the server has withdrawn, or that the feed has not had yet.
    package static func hasOpen(_ database: Database) throws -> Bool {
        guard try database.hasTable(table) else { return false }
        let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE reading <= 0)"
        return try Bool.fetchOne(database.cachedStatement(sql: sql)) ?? false
    }

    /// The records of an entity that the server has withdrawn.
    package static func withdrawnRecords(of plan: EntityPlan, in database: Database) throws -> Set<String> {
        try openRecords(of: plan, in: withdrawn, database: database)
    }

    /// Forgets records.
    package static func forget(_ records: Set<String>, of plan: EntityPlan, in database: Database) throws {
        for record in records {
            try database.change(
                "DELETE FROM \(table) WHERE \(plan.isRecord)",
                with: [plan.name.databaseValue, record.databaseValue])
        }
    }

    private static func records(
        _ condition: String, with arguments: [DatabaseValue], in database: Database
    ) throws -> Set<String> {
        let rows = try database.valueRows(
            "SELECT CAST(record AS TEXT) FROM \(table) WHERE \(condition)", with: arguments)
        return Set(rows.compactMap { $0.text(0) })
    }
}
