import GRDB
import LockstepEvolution

/// Pending changes that the schema does not let be sent any more, because its `write:` or `remote:` says less than that
/// of the version in which they were made (Rules.md, V8).
///
/// They are parked with this reason, and become due again when a schema sends them.
struct UnsentOperations {
    private let plans: SchemaPlan
    private let database: Database

    init(_ plans: SchemaPlan, in database: Database) {
        self.plans = plans
        self.database = database
    }

    /// Parks what is not sent any more, and makes due what is sent again.
    func update() throws {
        let former = try String.fetchSet(
            database,
            sql: """
                SELECT entity FROM \(OutboxTables.outbox) WHERE parked_status = 0 AND substr(error, 1, ?) = ?
                """, arguments: [Self.reason.count, Self.reason])
        try OutboxTable.releaseParked(because: Self.reason, in: database)
        for plan in plans {
            for kind in [OutboxChange.create, .update, .delete] {
                guard let reason = plan.reasonNotToSend(kind) else { continue }
                try park(kind, of: plan, because: reason)
            }
            if former.contains(plan.name) && plan.isTracked { try compare(plan) }
        }
    }

    fileprivate static let reason = "the schema no longer sends "

    private func park(_ kind: OutboxChange, of plan: EntityPlan, because reason: String) throws {
        try database.execute(
            sql: """
                UPDATE \(OutboxTables.outbox) SET retry_at = NULL, parked_status = 0, parked_body = CAST(? AS BLOB), \
                error = ? WHERE entity = ? AND change = ? AND parked_status IS NULL
                """, arguments: [reason, reason, plan.name, kind.rawValue])
    }

    /// While changes of the records were not recorded, records may have been deleted, and deleted ones created again.
    private func compare(_ plan: EntityPlan) throws {
        let table = SQLName.quoted(plan.table)
        let outbox = OutboxTables.outbox
        let exists = "EXISTS (SELECT 1 FROM \(table) WHERE \(plan.outboxRecordSQL(table)) = \(outbox).record)"
        let isOwn = "entity = \(OutboxSQL.literal(plan.name)) AND parked_status IS NULL"
        let (create, update, delete) = (
            OutboxChange.create.rawValue, OutboxChange.update.rawValue, OutboxChange.delete.rawValue
        )
        let statements =
            ["UPDATE \(outbox) SET change = \(update) WHERE \(isOwn) AND change = \(delete) AND \(exists)"]
            + OutboxSQL.deleteRows("\(isOwn) AND change = \(create) AND idempotency_key IS NULL AND NOT \(exists)")
            + ["UPDATE \(outbox) SET change = \(delete) WHERE \(isOwn) AND change <> \(delete) AND NOT \(exists)"]
        for statement in statements { try database.execute(sql: statement) }
    }
}

extension EntityPlan {
    /// Why a kind of change of a record is not sent, though it may have been in an earlier version of the schema; `nil`
    /// if it is sent, with the record or inside another one.
    package func reasonNotToSend(_ change: OutboxChange) -> String? {
        if tracks(change.write) { return nil }
        let reason = UnsentOperations.reason
        guard let remote, !remote.writes.isEmpty else {
            return "\(reason)changes of '\(name)' (\(remote == nil ? "remote: none" : "write: []"))"
        }
        let writes = RemoteStructure.Write.allCases.filter(remote.writes.contains).map { "\($0)" }
        return "\(reason)\(change.nouns) of '\(name)' (write: [\(writes.joined(separator: ", "))])"
    }
}

extension OutboxChange {
    fileprivate var write: RemoteStructure.Write {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }

    fileprivate var nouns: String {
        switch self {
        case .create: "creations"
        case .update: "changes"
        case .delete: "deletes"
        }
    }
}

extension OutboxWriter {
    /// Parks a change that the schema does not let be sent. What was sent of it stays known: unlike a server's
    /// rejection, the reason says nothing about what has arrived.
    package func hold(_ change: PendingChange, because reason: String) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET error = ?1, retry_at = NULL, parked_status = 0, \
            parked_body = CAST(?1 AS BLOB) WHERE id = ?2 AND entity = ?3 AND version = ?4
            """,
            with: [
                reason.databaseValue, change.id.databaseValue, change.entity.databaseValue,
                change.version.databaseValue,
            ])
    }
}
