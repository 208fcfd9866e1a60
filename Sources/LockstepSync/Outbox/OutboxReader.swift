import Foundation
import GRDB
import LockstepStore

/// Reads pending changes through a connection that is at hand.
struct OutboxReader {
    private let plans: [EntityPlan]
    private let database: Database

    init(_ plans: [EntityPlan], _ database: Database) {
        self.plans = plans
        self.database = database
    }

    private static let selected = """
        o.id, o.entity, o.record, o.change, o.version, o.changed_at, o.idempotency_key, o.sent_body, o.attempts, \
        o.retry_at, o.error, o.parked_status, o.parked_body
        """
    private static let columnCount = 13

    /// All of them, in the order in which the records were changed first.
    func pending() throws -> [PendingChange] {
        let changes = try plans.filter(\.travels).flatMap { plan in try self.changes(of: plan) }
        return changes.sorted { $0.id < $1.id }
    }

    /// Those of one entity.
    func changes(of plan: EntityPlan) throws -> [PendingChange] { try find(plan, "o.entity = ?", [plan.name]) }

    /// The one with a number; `nil` where it is not pending any more.
    func change(_ id: Int64) throws -> PendingChange? {
        let name = try String.fetchOne(
            database, sql: "SELECT entity FROM \(OutboxTables.outbox) WHERE id = ?", arguments: [id])
        guard let plan = plans.first(where: { $0.name == name }) else { return nil }
        return try find(plan, "o.id = ?", [id]).first
    }

    /// The one of a record; `nil` where nothing of it is pending.
    func change(of key: RecordKey, in plan: EntityPlan) throws -> PendingChange? {
        let record = try plan.outboxRecord(of: key, database)
        return try find(plan, "o.entity = ? AND o.record = ?", [plan.name, record]).first
    }

    private func find(
        _ plan: EntityPlan, _ condition: String, _ arguments: StatementArguments
    ) throws -> [PendingChange] {
        let outbox = OutboxTables.outbox
        guard plan.keyColumns.count > 1 else {
            let sql = "SELECT \(Self.selected) FROM \(outbox) AS o WHERE \(condition) ORDER BY o.id"
            return try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
                change(row, RecordKey(row[2] as DatabaseValue))
            }
        }
        // The record is spelt as one text there; its row, or the one before the change, has the key itself.
        let names = plan.keyColumns.map { SQLName.quoted(plan.columns[$0].name) }
        let keys = names.map { "ifnull(t.\($0), b.\($0))" }.joined(separator: ", ")
        let sql = """
            SELECT \(Self.selected), \(keys) FROM \(outbox) AS o \
            LEFT JOIN \(SQLName.quoted(plan.table)) AS t ON \(plan.outboxRecordSQL("t")) = o.record \
            LEFT JOIN \(SQLName.quoted(OutboxTables.base(of: plan))) AS b ON \(plan.outboxRecordSQL("b")) = o.record \
            WHERE \(condition) ORDER BY o.id
            """
        return try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
            change(row, RecordKey(names.indices.map { row[Self.columnCount + $0] as DatabaseValue }))
        }
    }

    private func change(_ row: Row, _ key: RecordKey) -> PendingChange {
        let kind: OutgoingChange.Kind =
            switch OutboxChange(rawValue: row[3]) {
            case .create: .create
            case .delete: .delete
            case .update, nil: .update
            }
        let status: Int? = row[11]
        return PendingChange(
            id: row[0], entity: row[1], key: key, recordValue: row[2], kind: kind, version: row[4],
            since: Date(timeIntervalSince1970: row[5]), attempts: row[8],
            retryAt: (row[9] as Double?).map(Date.init(timeIntervalSince1970:)), lastError: row[10],
            parked: status.map { PendingChange.Parked(status: $0, body: row[12] ?? Data()) },
            idempotencyKey: row[6], sentBody: row[7])
    }

    /// The links of a record that were added or taken away here.
    func links(of change: PendingChange, in plan: EntityPlan) throws -> [OutboxLinkChange] {
        let names = OutboxLink.links(of: plans).filter { $0.owner === plan }.map(\.name)
        guard !names.isEmpty else { return [] }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let sql = """
            SELECT join_table, destination, is_added FROM \(OutboxTables.links) WHERE join_table IN (\(marks)) AND source = ?
            """
        let arguments = StatementArguments(names.map(\.databaseValue) + [change.recordValue])
        return try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
            OutboxLinkChange(joinTable: row[0], source: change.recordValue, destination: row[1], isAdded: row[2])
        }
    }
}

/// A link that was added or taken away here. The keys are spelt as the outbox does.
struct OutboxLinkChange: Hashable, Sendable {
    let joinTable: String
    let source: DatabaseValue
    let destination: DatabaseValue
    let isAdded: Bool
}

extension EntityPlan {
    /// A key as the outbox spells it.
    func outboxRecord(of key: RecordKey, _ database: Database) throws -> DatabaseValue {
        let values = key.values
        guard values.count > 1 else { return values[0] }
        let sql = "SELECT \(outboxRecordSQL(of: values.map { _ in "?" }))"
        return try DatabaseValue.fetchOne(database, sql: sql, arguments: StatementArguments(values)) ?? .null
    }
}
