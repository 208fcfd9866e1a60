package import GRDB

/// A pending change with its record's current and former row. Many of them are read at once.
package struct PendingRecord {
    package let id: Int64
    package let plan: EntityPlan
    package let key: RecordKey
    package let kind: OutboxChange
    package let wait: StoredWait?
    package let isParked: Bool
    /// Whether it is a creation that was sent and has no response yet.
    package let isSent: Bool
    /// Whether it has left its owner, and exists nowhere on the server.
    package let hasLeft: Bool
    package let row: [DatabaseValue]?
    package let base: [DatabaseValue]?

    /// Whether it is such a creation, and the server assigns the record's identity: only the request that it was sent
    /// with distinguishes it from others.
    package var isTaken: Bool { isSent && plan.remoteColumn != nil }

    /// Whether nothing can be sent, because the record is not in the store.
    package var isLost: Bool { Self.isLost(isDelete: kind == .delete, row: row, base: base) }

    /// A delete needs the former values only.
    package static func isLost(isDelete: Bool, row: [DatabaseValue]?, base: [DatabaseValue]?) -> Bool {
        row == nil && (!isDelete || base == nil)
    }

    /// The pending changes of an entity's records.
    package static func fetchAll(of plan: EntityPlan, in database: Database) throws -> [PendingRecord] {
        guard try OutboxTable.hasRows(of: plan, in: database) else { return [] }
        return plan.keyColumns.count == 1 ? try joined(plan, in: database) : try lookedUp(plan, in: database)
    }

    private static let columns = """
        o.id, o.change, o.retry_at, o.\(StoredWait.startColumn), o.parked_status, \
        o.change = 0 AND o.idempotency_key IS NOT NULL, o.is_touched, o.record
        """
    private static let recordColumn = 7
    private static let columnCount = 8

    /// - Parameter columns: Begins with ``columns``.
    private init?(_ columns: [DatabaseValue], plan: EntityPlan, row: [DatabaseValue]?, base: [DatabaseValue]?) {
        guard let id = Int64.fromDatabaseValue(columns[0]) else { return nil }
        (self.id, self.plan) = (id, plan)
        let found = (row ?? base).map { some in RecordKey(plan.keyColumns.map { some[$0] }) }
        key = found ?? OutboxRecord.anyKey(columns[Self.recordColumn], of: plan)
        kind = columns.integer(1).flatMap(OutboxChange.init) ?? .update
        wait = StoredWait(start: columns.real(3), end: columns.real(2))
        (isParked, isSent) = (!columns[4].isNull, columns.integer(5) == 1)
        hasLeft = OutboxMarks(rawValue: columns.integer(6) ?? 0).contains(.left)
        (self.row, self.base) = (row, base)
    }

    /// The changes of records with a key of one column, which the outbox stores unchanged.
    private static func joined(_ plan: EntityPlan, in database: Database) throws -> [PendingRecord] {
        let (table, base) = (SQLName.quoted(plan.table), SQLName.quoted(OutboxTables.base(of: plan)))
        let names = plan.columns.map { SQLName.quoted($0.name) }
        let key = names[plan.keyColumns[0]]
        let list = { (table: String) in names.map { "\(table).\($0)" }.joined(separator: ", ") }
        let sql = """
            SELECT \(columns), t.\(key) IS NULL, b.\(key) IS NULL, \(list("t")), \(list("b")) \
            FROM \(OutboxTables.outbox) AS o LEFT JOIN \(table) AS t ON t.\(key) = o.record \
            LEFT JOIN \(base) AS b ON b.\(key) = o.record WHERE o.entity = ?
            """
        return try database.valueRows(sql, with: [plan.name.databaseValue]).compactMap { row in
            let values = row[(columnCount + 2)...]
            let current = row.integer(columnCount) == 1 ? nil : Array(values.prefix(names.count))
            let base = row.integer(columnCount + 1) == 1 ? nil : Array(values.suffix(names.count))
            return PendingRecord(row, plan: plan, row: current, base: base)
        }
    }

    /// The changes of records with a key of several columns, which the outbox stores as text without an index.
    private static func lookedUp(_ plan: EntityPlan, in database: Database) throws -> [PendingRecord] {
        let sql = "SELECT \(columns) FROM \(OutboxTables.outbox) AS o WHERE o.entity = ?"
        let writer = OutboxWriter(database, plan: plan)
        return try database.valueRows(sql, with: [plan.name.databaseValue]).compactMap { row in
            guard let key = OutboxRecord.key(row[recordColumn], of: plan) else {
                return PendingRecord(row, plan: plan, row: nil, base: nil)
            }
            let current = try database.valueRows(plan.findSQL, with: key.values).first
            return PendingRecord(row, plan: plan, row: current, base: try writer.base(of: key))
        }
    }
}
