import Foundation
package import GRDB
package import LockstepStore

extension PendingChange {
    /// Reads the rows of the outbox that a condition is true of, in their order.
    ///
    /// Rows of entities that the schema no longer has are left out.
    package static func fetch(
        _ database: Database, _ plans: [EntityPlan], where condition: String = "1", _ arguments: [DatabaseValue] = []
    ) throws -> [PendingChange] {
        // A store of an earlier version that may only be read has no outbox.
        guard try database.hasTable(OutboxTables.outbox) else { return [] }
        let byName = Dictionary(plans.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return try database.valueRows(
            """
            SELECT id, entity, record, change, version, changed_at, attempts, retry_at, error, parked_status, \
            parked_body, idempotency_key, sent_body, sent_version FROM \(OutboxTables.outbox) WHERE \(condition) ORDER BY id
            """, arguments
        ).compactMap { PendingChange($0, byName) }
    }

    /// The change of one record.
    package static func fetch(_ database: Database, of key: RecordKey, _ plan: EntityPlan) throws -> PendingChange? {
        try fetch(
            database, [plan], where: "entity = ?1 AND record = \(OutboxRecord.parameterSQL(plan, first: 2))",
            [plan.name.databaseValue] + key.values
        ).first
    }

    /// The change as it is now; `nil` where it was confirmed or discarded meanwhile.
    package func current(_ database: Database, _ plan: EntityPlan) throws -> PendingChange? {
        try Self.fetch(
            database, [plan], where: "id = ? AND entity = ?", [id.databaseValue, entity.databaseValue]
        ).first { $0.key == key }
    }

    private init?(_ row: [DatabaseValue], _ plans: [String: EntityPlan]) {
        func value<Value: DatabaseValueConvertible>(_ column: Int) -> Value? { Value.fromDatabaseValue(row[column]) }
        func date(_ column: Int) -> Date? { (value(column) as Double?).map { Date(timeIntervalSince1970: $0) } }
        let kinds: [OutgoingChange.Kind] = [.create, .update, .delete]
        guard let id: Int64 = value(0), let plan = plans[value(1) ?? ""], let change: Int = value(3),
            kinds.indices.contains(change), let version: Int64 = value(4),
            let key = OutboxRecord.key(row[2], of: plan)
        else { return nil }
        let status: Int? = value(9)
        self.init(
            id: id, entity: plan.name, key: key, kind: kinds[change], version: version, since: date(5) ?? Date(),
            attempts: value(6) ?? 0, retryAt: date(7), lastError: value(8),
            parked: status.map { Parked(status: $0, body: value(10) ?? Data()) }, idempotencyKey: value(11),
            sentBody: value(12), sentVersion: value(13))
    }
}
