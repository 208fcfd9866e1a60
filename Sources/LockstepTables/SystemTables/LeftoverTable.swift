package import Foundation
package import GRDB

/// The parts of unpushed edits that a later schema lacks (Rules.md, V5).
///
/// | column | contents |
/// | --- | --- |
/// | `entity`, `record` | the entity's name and the record's key, in the encoding of the outbox |
/// | `member` | the removed attribute or relationship; NULL for a record of a removed entity |
/// | `value` | JSON; NULL for a record that was deleted locally |
/// | `version` | the version of the schema in whose form the value is |
/// | `at` | when it was kept, seconds since 1970 |
/// | `reason` | why a conversion of the app, or a copy, has not taken it over; NULL for what a schema has removed |
package enum LeftoverTable {
    package static let name = "lockstep_leftover"

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(name) (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, record NOT NULL, \
        member TEXT, value TEXT, version INTEGER NOT NULL, at REAL NOT NULL, reason TEXT)
        """
    ]

    static func make(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
    }

    /// An object of members with JSON texts, in SQL.
    static func object(_ members: [(name: String, json: String)]) -> String {
        // SQLite's functions take at most 127 arguments.
        let groups = stride(from: 0, to: members.count, by: 60).map { members[$0..<min($0 + 60, members.count)] }
        let first = (groups.first ?? []).map { "\(OutboxSQL.literal($0.name)), json(\($0.json))" }
        return groups.dropFirst().reduce("json_object(\(first.joined(separator: ", ")))") { object, group in
            let members = group.map { "\(OutboxSQL.literal("$.\"\($0.name)\"")), json(\($0.json))" }
            return "json_insert(\(object), \(members.joined(separator: ", ")))"
        }
    }

    /// Gives the leftovers of entities their new names.
    ///
    /// - Parameters:
    ///   - kept: The new names of kept entities, by the former ones.
    ///   - removed: The names of removed ones for readers.
    static func rename(_ kept: [String: String], removed: [String: String], in database: Database) throws {
        guard try database.hasTable(name) else { return }
        let names = kept.merging(removed) { kept, _ in kept }.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
        guard !names.isEmpty else { return }
        let cases = names.map { "WHEN \(OutboxSQL.literal($0.key)) THEN \(OutboxSQL.literal($0.value))" }
        try database.execute(
            sql: "UPDATE \(name) SET entity = CASE entity \(cases.joined(separator: " ")) ELSE entity END")
    }

    package struct Row: Sendable, Hashable {
        package let id: Int64
        package let entity: String
        package let record: String
        /// The key of the record, as it is stored.
        let key: DatabaseValue
        package let member: String?
        package let value: String?
        package let version: Int
        package let at: Date
        package let reason: String?
    }

    package static func rows(_ database: Database) throws -> [Row] { try rows(where: "1", with: [], in: database) }

    package static func row(_ id: Int64, in database: Database) throws -> Row? {
        try rows(where: "id = ?", with: [id.databaseValue], in: database).first
    }

    private static func rows(
        where condition: String, with arguments: [DatabaseValue], in database: Database
    ) throws -> [Row] {
        guard try database.hasTable(name) else { return [] }
        return try database.valueRows(
            """
            SELECT id, entity, CAST(record AS TEXT), record, member, value, version, at, reason FROM \(name) \
            WHERE \(condition) ORDER BY id
            """, with: arguments
        ).map { row in
            Row(
                id: Int64.fromDatabaseValue(row[0]) ?? 0, entity: row.text(1) ?? "", record: row.text(2) ?? "",
                key: row[3], member: row.text(4), value: row.text(5), version: row.integer(6) ?? 0,
                at: Date(stored: row.real(7)) ?? .distantPast, reason: row.text(8))
        }
    }

    /// The region that an observation of the leftovers tracks.
    package static var region: some DatabaseRegionConvertible { Table(name) }

    package static func count(_ database: Database) throws -> Int {
        guard try database.hasTable(name) else { return 0 }
        return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(name)") ?? 0
    }

    /// Adds the leftovers of another database.
    package static func copy(from source: Database, to database: Database) throws {
        guard try source.hasTable(name) else { return }
        let columns = "entity, record, member, value, version, at, reason"
        let rows = try source.valueRows("SELECT \(columns) FROM \(name) ORDER BY id")
        guard !rows.isEmpty else { return }
        try make(database)
        for row in rows {
            try database.change("INSERT INTO \(name) (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)", with: row)
        }
    }

    /// Keeps what a copy from another store leaves out.
    ///
    /// - Parameters:
    ///   - record: What identifies the record, as readable text.
    ///   - value: JSON.
    package static func keep(
        _ entity: String, record: String, member: String?, value: String, version: Int, reason: String, at date: Date,
        in database: Database
    ) throws {
        try database.change(
            "INSERT INTO \(name) (entity, record, member, value, version, at, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
            with: [
                entity.databaseValue, record.databaseValue, member.databaseValue, value.databaseValue,
                version.databaseValue, date.timeIntervalSince1970.databaseValue, reason.databaseValue,
            ])
    }

    package static func delete(_ id: Int64, in database: Database) throws {
        try database.execute(sql: "DELETE FROM \(name) WHERE id = ?", arguments: [id])
    }
}
