package import Foundation
package import GRDB

/// The values that one side has lost in conflicts (Rules.md, C6).
///
/// | column | contents |
/// | --- | --- |
/// | `entity`, `record` | the entity's name and the record's key, in the encoding of the outbox |
/// | `member` | the attribute or to-one relationship |
/// | `base`, `local`, `remote` | its values as they are stored; of a relationship, keys in the encoding of the outbox |
/// | `sides` | which of the three there are: 1 for the base, 2 for the local one, 4 for the server's |
/// | `lost` | the side whose value was lost: `local` or `remote` |
/// | `rule` | what has decided (``ConflictEntry/Rule``) |
/// | `at` | when, seconds since 1970 |
package enum ConflictTable {
    package static let name = "lockstep_conflict"

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(name) (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, record NOT NULL, \
        member TEXT NOT NULL, base, local, remote, sides INTEGER NOT NULL, lost TEXT NOT NULL, rule TEXT NOT NULL, \
        at REAL NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS \(name)_record ON \(name) (entity, record)",
    ]

    /// The columns of an entry, in order.
    package static let columns = [
        "id", "entity", "record", "member", "base", "local", "remote", "sides", "lost", "rule", "at",
    ]

    /// Which values an entry has.
    package struct Sides: OptionSet {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        static let base = Sides(rawValue: 1)
        static let local = Sides(rawValue: 2)
        static let remote = Sides(rawValue: 4)
    }

    /// A value of a member that one side has lost. Each value has one part for each column of the member.
    package struct Loss {
        package let member: String
        package let base: [DatabaseValue]?
        package let local: [DatabaseValue]?
        package let remote: [DatabaseValue]?
        package let lost: ConflictEntry.Side

        package init(
            of member: String, base: [DatabaseValue]?, local: [DatabaseValue]?, remote: [DatabaseValue]?,
            lost: ConflictEntry.Side
        ) {
            (self.member, self.base, self.local, self.remote, self.lost) = (member, base, local, remote, lost)
        }
    }

    // MARK: Writing

    package static func insert(
        _ loss: Loss, of key: RecordKey, plan: EntityPlan, rule: ConflictEntry.Rule, at now: Date, in database: Database
    ) throws {
        var sides: Sides = []
        func value(_ parts: [DatabaseValue]?, side: Sides) throws -> DatabaseValue {
            guard let parts else { return .null }
            sides.insert(side)
            guard let relationship = plan.relationship(named: loss.member) else { return parts[0] }
            if parts.contains(where: \.isNull) { return .null }
            return try OutboxRecord.value(
                of: RecordKey(parts), plan: plan.relationships[relationship].destination, in: database)
        }
        let values = [
            try value(loss.base, side: .base), try value(loss.local, side: .local),
            try value(loss.remote, side: .remote),
        ]
        let record = try OutboxRecord.value(of: key, plan: plan, in: database)
        // Observers of the journal are notified.
        try database.recordedChange(
            """
            INSERT INTO \(name) (entity, record, member, base, local, remote, sides, lost, rule, at) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            with: [plan.name.databaseValue, record, loss.member.databaseValue] + values + [
                sides.rawValue.databaseValue, loss.lost.rawValue.databaseValue, rule.rawValue.databaseValue,
                now.timeIntervalSince1970.databaseValue,
            ])
    }

    /// The number of the last entry; 0 if there is none.
    package static func lastID(_ database: Database) throws -> Int64 {
        try database.valueRows("SELECT max(id) FROM \(name)").first.flatMap { Int64.fromDatabaseValue($0[0]) } ?? 0
    }

    /// Deletes what is kept for too long, and the oldest entries if there are too many.
    ///
    /// The age counts until the last entry before this merge if that is earlier: a clock that is ahead during one merge
    /// deletes nothing.
    ///
    /// - Parameter last: The number of the last entry before this merge.
    package static func trim(
        after last: Int64, at now: Date, keptSeconds: TimeInterval, count: Int, in database: Database
    ) throws {
        let latest = try database.valueRows(
            "SELECT max(at) FROM \(name) WHERE id <= ?", with: [last.databaseValue]
        ).first.flatMap { $0.real(0) }
        let end = min(now.timeIntervalSince1970, latest ?? -.infinity)
        try database.recordedChange(
            "DELETE FROM \(name) WHERE at <= ?", with: [(end - keptSeconds).databaseValue])
        try database.recordedChange(
            "DELETE FROM \(name) WHERE id <= (SELECT id FROM \(name) ORDER BY id DESC LIMIT 1 OFFSET ?)",
            with: [count.databaseValue])
    }

    /// Gives the entries of a record to another row of it, which takes its place.
    package static func move(_ key: RecordKey, to other: RecordKey, in plan: EntityPlan, database: Database) throws {
        guard try database.hasRows(name) else { return }
        let records = try [other, key].map { try OutboxRecord.value(of: $0, plan: plan, in: database) }
        try database.recordedChange(
            "UPDATE \(name) SET record = ? WHERE entity = ? AND record = ?",
            with: [records[0], plan.name.databaseValue, records[1]])
    }

    /// Deletes the entries of a record that the user may no longer read.
    package static func forget(_ key: RecordKey, of plan: EntityPlan, in database: Database) throws {
        try database.recordedChange(
            "DELETE FROM \(name) WHERE entity = ? AND record = ?",
            with: [plan.name.databaseValue, try OutboxRecord.value(of: key, plan: plan, in: database)])
    }

    /// Deletes entries. Their dates must fit, since a number can be that of a later entry.
    package static func delete(_ entries: [ConflictEntry], in database: Database) throws {
        for entry in entries {
            try database.recordedChange(
                "DELETE FROM \(name) WHERE id = ? AND at = ?",
                with: [entry.id.databaseValue, entry.date.timeIntervalSince1970.databaseValue])
        }
    }

    // MARK: Reading

    /// The region that an observation of the journal tracks.
    package static var region: Table<Row> { Table(name) }

    package static func hasRows(_ database: Database) throws -> Bool { try database.hasRows(name) }

    /// The entries whose records do not have the lost values, in the order in which they were written.
    package static func entries(_ plans: SchemaPlan, in database: Database) throws -> [ConflictEntry] {
        guard try database.hasTable(name) else { return [] }
        let rows = try database.valueRows("SELECT \(columns.joined(separator: ", ")) FROM \(name) ORDER BY id")
        return try open(rows.compactMap { ConflictEntry($0, plans: plans) }, plans: plans, in: database)
    }

    /// The entries whose records do not have the lost values.
    package static func open(
        _ entries: [ConflictEntry], plans: SchemaPlan, in database: Database
    ) throws -> [ConflictEntry] {
        var rows: [String: [RecordKey: [DatabaseValue]?]] = [:]
        return try entries.filter { entry in
            guard let plan = plans.first(where: { $0.name == entry.entity }),
                entry.key.values.count == plan.keyColumns.count
            else { return true }
            if rows[plan.name]?[entry.key] == nil {
                rows[plan.name, default: [:]][entry.key] =
                    .some(try database.valueRows(plan.findSQL, with: entry.key.values).first)
            }
            guard case .some(.some(let row)) = rows[plan.name]?[entry.key] else { return true }
            return !plan.has(entry.storedLoss, as: entry.member, row: row)
        }
    }

    // MARK: Migrations

    /// Gives the members of an entity their new names, and deletes the entries of removed ones.
    ///
    /// - Parameter names: The new names by the former ones; `nil` for a removed member, or one whose values change.
    static func migrate(_ names: [String: String?], of entity: String, in database: Database) throws {
        guard !names.isEmpty, try database.hasTable(name) else { return }
        let isEntity = "entity = \(OutboxSQL.literal(entity))"
        let gone = names.filter { $0.value == nil }.keys.sorted().map(OutboxSQL.literal)
        if !gone.isEmpty {
            try database.execute(
                sql: "DELETE FROM \(name) WHERE \(isEntity) AND member IN (\(gone.joined(separator: ", ")))")
        }
        let renames = names.sorted { $0.key < $1.key }.compactMap { old, new in
            new.map { "WHEN \(OutboxSQL.literal(old)) THEN \(OutboxSQL.literal($0))" }
        }
        guard !renames.isEmpty else { return }
        try database.execute(
            sql: """
                UPDATE \(name) SET member = CASE member \(renames.joined(separator: " ")) ELSE member END WHERE \(isEntity)
                """)
    }
}

extension EntityPlan {
    /// Whether a row has a value of a member as it is in the journal.
    fileprivate func has(_ value: DatabaseValue, as member: String, row: [DatabaseValue]) -> Bool {
        if let column = column(ofAttribute: member) {
            return row[column].isIdentical(to: value) || columns[column].isSameInJSON(row[column], value)
        }
        guard let relationship = relationship(named: member) else { return false }
        let parts = foreignKeys[relationship].map { row[$0] }
        guard !parts.isEmpty else { return false }
        let key = OutboxRecord.key(value, of: relationships[relationship].destination)
        return parts.contains(where: \.isNull) ? key == nil : key == RecordKey(parts)
    }
}
