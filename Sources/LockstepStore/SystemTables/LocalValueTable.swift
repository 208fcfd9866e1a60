package import Foundation
package import GRDB
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

    // MARK: Keeping

    /// Keeps the values of a record that is deleted, except for defaults.
    ///
    /// - Parameter row: The record's columns.
    package static func keep(_ row: [DatabaseValue], of plan: EntityPlan, at now: Date, _ database: Database) throws {
        let identity = RecordKey(plan.serverKeyColumns.map { row[$0] })
        if identity.values.contains(where: \.isNull) { return }
        try forget(identity, of: plan, database)
        for column in plan.localColumns where row[column] != plan.columns[column].storedDefault {
            try database.change(
                "INSERT INTO \(table) (entity, identity, attribute, value, deleted_at) VALUES (?, ?, ?, ?, ?)",
                plan.record(identity) + [
                    plan.columns[column].memberName.databaseValue, row[column],
                    now.timeIntervalSince1970.databaseValue,
                ])
        }
    }

    /// Forgets the values that were kept for too long. A clock that was ahead has left times that are later than now:
    /// their time begins now.
    package static func expire(at now: Date, keptSeconds: TimeInterval, _ database: Database) throws {
        guard try database.hasRows(table) else { return }
        let now = now.timeIntervalSince1970
        try database.change("UPDATE \(table) SET deleted_at = ?1 WHERE deleted_at > ?1", [now.databaseValue])
        try database.change("DELETE FROM \(table) WHERE deleted_at <= ?", [(now - keptSeconds).databaseValue])
    }

    // MARK: Giving back

    /// The identities of an entity's records of which there are any.
    package static func identities(of plan: EntityPlan, _ database: Database) throws -> Set<ExactText> {
        let rows = try database.valueRows(
            "SELECT DISTINCT identity FROM \(table) WHERE entity = ?", [plan.name.databaseValue])
        return Set(rows.compactMap { $0.text(0).map(ExactText.init) })
    }

    /// The values that a record had when it was deleted, by their columns.
    ///
    /// - Parameter identity: The record's identity on the server.
    package static func values(
        of identity: RecordKey, _ plan: EntityPlan, _ database: Database
    ) throws -> [Int: DatabaseValue] {
        let rows = try database.valueRows(
            "SELECT attribute, value FROM \(table) WHERE entity = ? AND identity = ?", plan.record(identity))
        var values: [Int: DatabaseValue] = [:]
        for row in rows {
            guard let column = row.text(0).flatMap(plan.column(ofAttribute:)), plan.localColumns.contains(column),
                !row[1].isNull || plan.isOptional[column]
            else { continue }
            values[column] = row[1]
        }
        return values
    }

    package static func forget(_ identity: RecordKey, of plan: EntityPlan, _ database: Database) throws {
        try database.change("DELETE FROM \(table) WHERE entity = ? AND identity = ?", plan.record(identity))
    }

    // MARK: Migrations

    /// Deletes all of them: their names and types may be others now, and they would soon expire.
    static func deleteAll(_ database: Database) throws {
        guard try database.hasTable(table) else { return }
        try database.execute(sql: "DELETE FROM \(table)")
    }
}

extension ColumnDescription {
    /// The value of a new record; NULL if it is different for each.
    fileprivate var storedDefault: DatabaseValue {
        switch defaultValue {
        case nil, .now, .newUUID: .null
        case .some(let value): type.storedValue(of: value)
        }
    }
}
