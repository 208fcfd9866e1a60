package import Foundation
package import GRDB
import LockstepEvolution
package import LockstepJSON

/// The values that exist only on this device, of records that merges have deleted: the records have them again if the
/// server has not deleted them after all (Rules.md, M7).
///
/// They are not leftovers, which are parts of edits that an app must decide about: these come back or expire by
/// themselves.
///
/// | column | contents |
/// | --- | --- |
/// | `entity`, `identity` | the entity's name, and the identity by which the server knows the record, as text |
/// | `attribute`, `value` | the attribute's name, and its value as it was stored |
/// | `deleted_at` | when the record was deleted, seconds since 1970 |
package enum LocalValueTable {
    private static let table = "lockstep_local_value"
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, identity TEXT NOT NULL, attribute TEXT NOT NULL, \
        value, deleted_at REAL NOT NULL, PRIMARY KEY (entity, identity, attribute))
        """,
        "CREATE INDEX IF NOT EXISTS \(table)_at ON \(table) (deleted_at)",
    ]

    /// The key of the time since which there have been times of deletes that are later than the clock.
    private static let laterSinceKey = "local_values_later_since"

    // MARK: Keeping

    /// Keeps the values of a record that is deleted, except for defaults.
    ///
    /// - Parameter row: The record's columns.
    package static func keep(_ row: [DatabaseValue], of plan: EntityPlan, at now: Date, in database: Database) throws {
        let identity = RecordKey(plan.serverKeyColumns.map { row[$0] })
        if identity.values.contains(where: \.isNull) { return }
        try forget(identity, of: plan, in: database)
        for column in plan.localColumns where row[column] != plan.columns[column].storedDefault {
            try database.change(
                "INSERT INTO \(table) (entity, identity, attribute, value, deleted_at) VALUES (?, ?, ?, ?, ?)",
                with: plan.record(identity) + [
                    plan.columns[column].memberName.databaseValue, row[column],
                    now.timeIntervalSince1970.databaseValue,
                ])
        }
    }

    /// Forgets the values that were kept for too long.
    ///
    /// If a time is later than now, the clock was ahead then or is behind now. It is unknown which, so the time stays:
    /// a clock that is behind for a while ends nothing. If there are such times for as long as values are kept, what
    /// has them is forgotten, too.
    package static func expire(at now: Date, keptSeconds: TimeInterval, in database: Database) throws {
        let now = now.timeIntervalSince1970
        var hasLater = false
        if try database.hasRows(table) {
            try database.change(
                "DELETE FROM \(table) WHERE deleted_at <= ?", with: [(now - keptSeconds).databaseValue])
            hasLater =
                try !database.valueRows(
                    "SELECT 1 FROM \(table) WHERE deleted_at > ? LIMIT 1", with: [now.databaseValue]
                )
                .isEmpty
        }
        let stored = try MetadataTable.value(laterSinceKey, in: database)
        guard hasLater else {
            if stored != nil { try MetadataTable.delete([laterSinceKey], in: database) }
            return
        }
        // A time that cannot have been written, or that is later itself, counts as missing.
        let since = stored.flatMap(Double.init).flatMap { $0.isFinite && $0 <= now ? $0 : nil }
        if since == nil { try MetadataTable.set(laterSinceKey, to: String(now), in: database) }
        guard now - (since ?? now) >= keptSeconds else { return }
        try database.change("DELETE FROM \(table) WHERE deleted_at > ?", with: [now.databaseValue])
    }

    // MARK: Giving back

    /// The identities of an entity's records of which there are any.
    package static func identities(of plan: EntityPlan, in database: Database) throws -> Set<ExactText> {
        let rows = try database.valueRows(
            "SELECT DISTINCT identity FROM \(table) WHERE entity = ?", with: [plan.name.databaseValue])
        return Set(rows.compactMap { $0.text(0).map(ExactText.init) })
    }

    /// The values that a record had when it was deleted, by their columns. What is not a value of its attribute, as in
    /// a damaged file, counts as missing.
    ///
    /// - Parameter identity: The record's identity on the server.
    package static func values(
        of identity: RecordKey, plan: EntityPlan, in database: Database
    ) throws -> [Int: DatabaseValue] {
        let rows = try database.valueRows(
            "SELECT attribute, value FROM \(table) WHERE entity = ? AND identity = ?", with: plan.record(identity))
        var values: [Int: DatabaseValue] = [:]
        for row in rows {
            guard let column = row.text(0).flatMap(plan.column(ofAttribute:)), plan.localColumns.contains(column),
                let value = plan.columns[column].value(of: row[1])
            else { continue }
            values[column] = value
        }
        return values
    }

    package static func forget(_ identity: RecordKey, of plan: EntityPlan, in database: Database) throws {
        try database.change("DELETE FROM \(table) WHERE entity = ? AND identity = ?", with: plan.record(identity))
    }

    // MARK: Migrations

    /// Deletes all of them: their names and types may be others now, and they would soon expire.
    static func deleteAll(_ database: Database) throws {
        guard try database.hasTable(table) else { return }
        try database.execute(sql: "DELETE FROM \(table)")
    }
}

extension ColumnDescription {
    /// A stored value as the column may have it; `nil` if it may not.
    fileprivate func value(of stored: DatabaseValue) -> DatabaseValue? {
        if stored.isNull { return isOptional ? stored : nil }
        guard case .success(let value) = type.keep(stored, in: limits) else { return nil }
        return value
    }

    /// The value of a new record; NULL if it is different for each.
    fileprivate var storedDefault: DatabaseValue {
        switch defaultValue {
        case nil, .now, .newUUID: .null
        case .some(let value): type.storedValue(of: value)
        }
    }
}
