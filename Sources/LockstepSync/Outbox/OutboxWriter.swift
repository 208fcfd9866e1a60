import Foundation
import GRDB
import LockstepStore

/// Writes down what became of pending changes, inside of a transaction that is at hand.
struct OutboxWriter {
    private let plans: [EntityPlan]
    private let database: Database

    init(_ plans: [EntityPlan], _ database: Database) {
        self.plans = plans
        self.database = database
    }

    /// Notes that a creation is about to be sent: if its answer is lost, it is sent again as it was.
    ///
    /// - Parameter row: The record's row as it is sent.
    func markSent(
        _ change: PendingChange, of plan: EntityPlan, idempotencyKey: String, body: Data, row: [DatabaseValue]?
    ) throws {
        try database.execute(
            sql: "UPDATE \(OutboxTables.outbox) SET idempotency_key = ?, sent_body = ? WHERE id = ? AND version = ?",
            arguments: [idempotencyKey, body, change.id, change.version])
        if database.changesCount > 0, let row { try setBase(row, of: plan) }
    }

    /// Notes that the server has taken a change (Rules.md, P4): it is pending no longer, unless the record was changed
    /// since the change was read; then what was sent is what the later change is against.
    ///
    /// - Parameters:
    ///   - sentRow: The record's row as the server has it now; `nil` where it was deleted there.
    ///   - sentLinks: The changed links that the server was told of.
    func confirm(
        _ change: PendingChange, of plan: EntityPlan, sentRow: [DatabaseValue]?, sentLinks: [OutboxLinkChange] = []
    ) throws {
        let sql = "SELECT change, version FROM \(OutboxTables.outbox) WHERE id = ? AND entity = ? AND record = ?"
        guard
            let row = try Row.fetchOne(
                database, sql: sql, arguments: [change.id, change.entity, change.recordValue])
        else { return }
        if row[1] == change.version { return try forget(change.recordValue, change.key, of: plan) }
        try confirm(sentLinks)
        let isDeletedNow = row[0] == OutboxChange.delete.rawValue
        let kind: OutboxChange
        if change.kind == .delete && !isDeletedNow {
            // Deleted there, and made again here meanwhile.
            kind = .create
            try removeBase(change.key, of: plan)
        } else {
            kind = isDeletedNow ? .delete : .update
            if let sentRow { try setBase(sentRow, of: plan) }
        }
        try database.execute(
            sql: """
                UPDATE \(OutboxTables.outbox) SET change = ?, idempotency_key = NULL, sent_body = NULL, attempts = 0, \
                retry_at = NULL, error = NULL WHERE id = ?
                """, arguments: [kind.rawValue, change.id])
    }

    /// What the server was told of links is no change any more; what was taken back meanwhile is one.
    private func confirm(_ links: [OutboxLinkChange]) throws {
        let isLink = "join_table = ? AND source = ? AND destination = ?"
        for link in links {
            let key: StatementArguments = [link.joinTable, link.source, link.destination]
            try database.execute(sql: "DELETE FROM \(OutboxTables.links) WHERE \(isLink) AND is_added = ?", arguments: key + [link.isAdded])
            if database.changesCount > 0 { continue }
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO \(OutboxTables.links) (join_table, source, destination, is_added) \
                    VALUES (?, ?, ?, ?)
                    """, arguments: key + [!link.isAdded])
        }
    }

    /// Notes that a change could not be sent, why, and when it is tried again.
    func fail(_ change: PendingChange, error: String, retryAt: Date?) throws {
        try database.execute(
            sql: """
                UPDATE \(OutboxTables.outbox) SET attempts = attempts + 1, error = ?, retry_at = ? \
                WHERE id = ? AND version = ?
                """, arguments: [error, retryAt?.timeIntervalSince1970, change.id, change.version])
    }

    /// Notes that the server will never take a change (Rules.md, P8).
    ///
    /// A creation that it has refused is not there: the next one is another request.
    func park(_ change: PendingChange, of plan: EntityPlan, status: Int, body: Data) throws {
        let isSame = "id = ? AND version = ?"
        try database.execute(
            sql: """
                UPDATE \(OutboxTables.outbox) SET attempts = attempts + 1, parked_status = ?, parked_body = ?, \
                error = ?, retry_at = NULL WHERE \(isSame)
                """,
            arguments: [status, body, Self.refusal(status, body), change.id, change.version])
        try forgetSent([change])
        if change.kind == .create { try removeBase(change.key, of: plan) }
    }

    private static func refusal(_ status: Int, _ body: Data) -> String {
        status == 0 ? String(decoding: body.prefix(500), as: UTF8.self) : "the server answered \(status)"
    }

    /// Notes that what was sent of creations has not taken effect, or is known to have: they are not sent again as they
    /// were.
    func forgetSent(_ changes: [PendingChange]) throws {
        for change in changes {
            try database.execute(
                sql: """
                    UPDATE \(OutboxTables.outbox) SET idempotency_key = NULL, sent_body = NULL \
                    WHERE id = ? AND entity = ? AND record = ?
                    """, arguments: [change.id, change.entity, change.recordValue])
        }
    }

    /// Forgets what is pending of a record.
    func forget(_ key: RecordKey, of plan: EntityPlan) throws {
        try forget(try plan.outboxRecord(of: key, database), key, of: plan)
    }

    private func forget(_ record: DatabaseValue, _ key: RecordKey, of plan: EntityPlan) throws {
        try database.execute(
            sql: "DELETE FROM \(OutboxTables.outbox) WHERE entity = ? AND record = ?", arguments: [plan.name, record])
        try removeBase(key, of: plan)
        for link in OutboxLink.links(of: plans) where link.owner === plan {
            try database.execute(
                sql: "DELETE FROM \(OutboxTables.links) WHERE join_table = ? AND source = ?",
                arguments: [link.name, record])
        }
    }

    /// Notes a record as changed, though it may not be: it is sent.
    ///
    /// - Returns: Whether it is here.
    func touch(_ key: RecordKey, of plan: EntityPlan) throws -> Bool {
        let sql = "\(plan.selectSQL) WHERE \(plan.keyCondition)"
        guard plan.takes(.update),
            let row = try Row.fetchOne(database, sql: sql, arguments: StatementArguments(key.values))
        else { return false }
        let record = try plan.outboxRecord(of: key, database)
        let isPending = "SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = ? AND record = ?"
        if try Bool.fetchOne(database, sql: isPending, arguments: [plan.name, record]) != nil { return true }
        try setBase(Array(row.databaseValues), of: plan)
        try database.execute(
            sql: """
                INSERT INTO \(OutboxTables.outbox) (entity, record, change, version, changed_at) \
                VALUES (?, ?, ?, random() & 0xFFFFFFFFFFFF, (julianday('now') - 2440587.5) * 86400.0)
                """, arguments: [plan.name, record, OutboxChange.update.rawValue])
        return true
    }

    // MARK: What the server had

    func setBase(_ row: [DatabaseValue], of plan: EntityPlan) throws {
        let columns = plan.columns.map { SQLName.quoted($0.name) }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO \(SQLName.quoted(OutboxTables.base(of: plan))) \
                (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """, arguments: StatementArguments(row))
    }

    func removeBase(_ key: RecordKey, of plan: EntityPlan) throws {
        try database.execute(
            sql: "DELETE FROM \(SQLName.quoted(OutboxTables.base(of: plan))) WHERE \(plan.keyCondition)",
            arguments: StatementArguments(key.values))
    }
}
