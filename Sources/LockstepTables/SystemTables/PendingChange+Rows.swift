import Foundation
package import GRDB

extension PendingChange {
    /// Reads the rows of the outbox, in order.
    ///
    /// Those of embedded records are included. Rows that no entity claims are left out; ``fetchAll(_:plans:)`` includes
    /// them.
    package static func fetch(_ database: Database, plans: SchemaPlan) throws -> [PendingChange] {
        try fetch(database, plans: plans, where: "1", with: [])
    }

    /// The changes of one entity's records, in order.
    package static func fetch(_ database: Database, of plan: EntityPlan) throws -> [PendingChange] {
        try fetch(database, of: plan, where: "entity = ?", with: [plan.name.databaseValue])
    }

    /// The change with an identifier; `nil` if it was confirmed or discarded, or no entity claims it.
    package static func fetch(_ database: Database, id: Int64, plans: SchemaPlan) throws -> PendingChange? {
        try fetch(database, plans: plans, where: "id = ?", with: [id.databaseValue]).first
    }

    /// The changes that satisfy a condition, for this folder.
    static func fetch(
        _ database: Database, plans: SchemaPlan, where condition: String, with arguments: [DatabaseValue]
    ) throws -> [PendingChange] {
        try rows(database, condition: condition, with: arguments).compactMap { row in
            plans[String.fromDatabaseValue(row[1]) ?? ""].flatMap { PendingChange(row, of: $0) }
        }
    }

    /// The changes of one entity's records that satisfy a condition, for this folder.
    static func fetch(
        _ database: Database, of plan: EntityPlan, where condition: String, with arguments: [DatabaseValue]
    ) throws -> [PendingChange] {
        try rows(database, condition: condition, with: arguments).compactMap { row in
            String.fromDatabaseValue(row[1]) == plan.name ? PendingChange(row, of: plan) : nil
        }
    }

    /// - Returns: `nil` if changes of the entity are not recorded.
    private init?(_ row: [DatabaseValue], of plan: EntityPlan) {
        guard plan.isTracked else { return nil }
        self.init(row, key: OutboxRecord.anyKey(row[2], of: plan))
    }

    /// Reads the rows of the outbox, including those that no entity of the schema claims (Rules.md, P16).
    package static func fetchAll(_ database: Database, plans: SchemaPlan) throws -> [PendingChange] {
        try fetchAll(database, plans: plans, where: "1", with: [])
    }

    static func fetchAll(
        _ database: Database, plans: SchemaPlan, where condition: String, with arguments: [DatabaseValue]
    ) throws -> [PendingChange] {
        let claims = OutboxClaims(plans)
        var holders: [String: EntityPlan?] = [:]
        return try rows(database, condition: condition, with: arguments).compactMap { row in
            let name = String.fromDatabaseValue(row[1]) ?? ""
            if claims.isClaimed(name), let plan = plans[name] {
                return PendingChange(row, key: OutboxRecord.anyKey(row[2], of: plan))
            }
            let holder = try holders[name] ?? claims.holder(of: name, in: database)
            holders[name] = .some(holder)
            // The table's columns determine the key; if no entity has the table, it is used as encoded.
            let key = holder.map { OutboxRecord.anyKey(row[2], of: $0) } ?? RecordKey(row[2])
            return PendingChange(row, key: key, isUnclaimed: true)
        }
    }

    /// Reads the rows of the outbox that are reported to the app: those of embedded records are represented by their
    /// owners.
    package static func fetchReported(_ database: Database, plans: SchemaPlan) throws -> [PendingChange] {
        try fetchReported(database, plans: plans, where: "1")
    }

    /// Those of them that are parked.
    package static func fetchParked(_ database: Database, plans: SchemaPlan) throws -> [PendingChange] {
        try fetchReported(database, plans: plans, where: "parked_status IS NOT NULL")
    }

    private static func fetchReported(
        _ database: Database, plans: SchemaPlan, where condition: String
    ) throws -> [PendingChange] {
        let inside = Set(plans.filter(\.travelsInside).map(\.name))
        return try fetchAll(database, plans: plans, where: condition, with: []).filter {
            !inside.contains($0.entity)
        }
    }

    private static func rows(
        _ database: Database, condition: String, with arguments: [DatabaseValue]
    ) throws -> [[DatabaseValue]] {
        // A read-only store of an earlier version has no outbox.
        guard try database.hasTable(OutboxTables.outbox) else { return [] }
        return try database.valueRows(
            """
            SELECT id, entity, record, change, version, changed_at, attempts, retry_at, error, parked_status, \
            parked_body, idempotency_key, sent_body, sent_version, \
            \(StoredWait.startSQL(of: OutboxTables.outbox, in: database)) FROM \(OutboxTables.outbox) WHERE \(condition) ORDER BY id
            """, with: arguments)
    }

    /// The change of one record.
    package static func fetch(_ database: Database, of key: RecordKey, plan: EntityPlan) throws -> PendingChange? {
        try fetch(
            database, of: plan, where: "entity = ?1 AND record = \(OutboxRecord.parameterSQL(plan, first: 2))",
            with: [plan.name.databaseValue] + key.values
        ).first
    }

    /// The change of one record of a table that no entity claims.
    package static func fetchUnclaimed(
        _ database: Database, of key: RecordKey, plan: EntityPlan, plans: SchemaPlan
    ) throws -> PendingChange? {
        guard let names = try OutboxClaims(plans).unclaimedNamesByTable(database)[plan.table] else { return nil }
        return try names.lazy.compactMap { name in
            try fetchAll(
                database, plans: plans, where: "entity = ?1 AND record = \(OutboxRecord.parameterSQL(plan, first: 2))",
                with: [name.databaseValue] + key.values
            ).first
        }.first
    }

    /// The current state of the change, even if no entity claims it; `nil` if it was confirmed or discarded meanwhile.
    package func currentIncludingUnclaimed(_ database: Database, plans: SchemaPlan) throws -> PendingChange? {
        try Self.fetchAll(
            database, plans: plans, where: "id = ? AND entity = ?", with: [id.databaseValue, entity.databaseValue]
        ).first { $0.key == key }
    }

    /// The current state of the change; `nil` if it was confirmed or discarded meanwhile.
    package func current(_ database: Database, of plan: EntityPlan) throws -> PendingChange? {
        guard let now = try Self.fetch(database, of: plan, where: "id = ?", with: [id.databaseValue]).first,
            now.entity == entity, now.key == key
        else {
            return nil
        }
        return now
    }

    private init?(_ row: [DatabaseValue], key: RecordKey, isUnclaimed: Bool = false) {
        func value<Value: DatabaseValueConvertible>(_ column: Int) -> Value? { Value.fromDatabaseValue(row[column]) }
        let kinds: [PendingChange.Kind] = [.create, .update, .delete]
        guard let id: Int64 = value(0), let entity: String = value(1), let change: Int = value(3),
            kinds.indices.contains(change), let version: Int64 = value(4)
        else { return nil }
        let status: Int? = value(9)
        self.init(
            id: id, entity: entity, isUnclaimed: isUnclaimed, key: key, kind: kinds[change], version: version,
            since: Date(stored: value(5)) ?? Date(), attempts: AttemptCount.limited(value(6)),
            wait: StoredWait(start: value(14), end: value(7)), lastError: value(8),
            parked: status.map { Parked(status: $0, body: value(10) ?? Data()) }, idempotencyKey: value(11),
            sentBody: value(12), sentVersion: value(13))
    }
}
