package import Foundation
package import GRDB
import LockstepEvolution

/// Reads and writes the outbox of one entity in a transaction: what a push has sent, and its outcome.
///
/// It writes no records, so it need not suppress the outbox.
package struct OutboxWriter {
    package let database: Database
    package let plan: EntityPlan
    private let table: String
    private let isBase: String
    private let entity: String

    /// - Parameter entity: The name of the rows, if it is not the entity's.
    package init(_ database: Database, plan: EntityPlan, under entity: String? = nil) {
        self.database = database
        self.plan = plan
        table = SQLName.quoted(OutboxTables.base(of: plan))
        isBase = plan.keyCondition
        self.entity = entity ?? plan.name
    }

    // MARK: Reading

    /// The record's values before its first unconfirmed change, by the entity's columns.
    package func base(of key: RecordKey) throws -> [DatabaseValue]? {
        let columns = plan.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        return try database.valueRows("SELECT \(columns) FROM \(table) WHERE \(isBase)", with: key.values).first
    }

    /// The links that were added or removed locally, and that are sent with this record.
    package func links(of key: RecordKey) throws -> [OutboxLinkChange] {
        try database.valueRows(
            """
            SELECT join_table, destination, is_added, position, inverse_position FROM \(OutboxTables.links) \
            WHERE \(isSource) ORDER BY join_table, destination
            """, with: key.values
        ).map { row in
            OutboxLinkChange(
                name: String.fromDatabaseValue(row[0]) ?? "", destination: row[1],
                isAdded: Int.fromDatabaseValue(row[2]) == 1, positions: [row[3], row[4]])
        }
    }

    /// The condition that a link is sent with the record; the key is the first argument.
    private var isSource: String {
        // The table's key begins with the link's name; the entity determines whose list it is in.
        let names = plan.linkNames.map(OutboxSQL.literal).joined(separator: ", ")
        return "join_table IN (\(names)) AND source = \(OutboxRecord.parameterSQL(plan)) "
            + "AND entity = \(OutboxSQL.literal(entity))"
    }

    // MARK: Sending

    /// Records that a creation is about to be sent: the same bytes are sent with the same key until there is a
    /// response.
    ///
    /// Makes the values that are sent the base; later edits are changes of it.
    ///
    /// - Parameter body: `nil` for a record that is sent inside one that is not new, because there is nothing to
    ///   repeat.
    package func markSent(_ change: PendingChange, idempotencyKey: String, body: Data?, row: [DatabaseValue]) throws {
        let count = try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET idempotency_key = ?, sent_body = ?, sent_version = ? \
            WHERE id = ? AND entity = ? AND change = 0 AND idempotency_key IS NULL
            """,
            with: [
                idempotencyKey.databaseValue, body.databaseValue, change.version.databaseValue,
                change.id.databaseValue, change.entity.databaseValue,
            ])
        guard count > 0 else { return }
        // A link that is removed again before there is a response must still be sent.
        for link in try links(of: change.key) where link.isAdded {
            try noteSending(link.name, value: link.destination, of: change, isLink: true)
        }
        try keepFormer(of: change, than: row)
        try setBase(row)
    }

    /// Keeps the values of the base that differ from what is sent, because it is not known yet whether that arrives.
    package func keepFormer(of change: PendingChange, than row: [DatabaseValue]) throws {
        try dropFormer(change.id)
        // A record that is new on the server has no base.
        guard let base = try base(of: change.key) else { return }
        let changed = plan.columns.indices.filter { !base[$0].isIdentical(to: row[$0]) }
        for (name, value) in [(OutboxTables.formerRecord, .null)] + changed.map({ (plan.columns[$0].name, base[$0]) }) {
            try database.change(
                "INSERT INTO \(OutboxTables.former) (change, name, value) VALUES (?, ?, ?)",
                with: [change.id.databaseValue, name.databaseValue, value])
        }
    }

    /// Restores the base from before a creation was sent that has not arrived. A new record has none.
    private func restoreFormer(of change: PendingChange) throws {
        guard let base = try formerBase(of: change) else { return try dropBase(of: change.key) }
        try setBase(base)
        try dropFormer(change.id)
    }

    /// The base with its former values; `nil` if none were kept.
    package func formerBase(of change: PendingChange) throws -> [DatabaseValue]? {
        let former = try database.valueRows(
            "SELECT name, value FROM \(OutboxTables.former) WHERE change = ?", with: [change.id.databaseValue])
        guard !former.isEmpty, var base = try base(of: change.key) else { return nil }
        for value in former {
            let name = String.fromDatabaseValue(value[0])
            guard let column = plan.columns.firstIndex(where: { $0.name == name }) else { continue }
            base[column] = value[1]
        }
        return base
    }

    /// Whether a sent creation restores what the server has lost.
    package func hasFormer(_ change: PendingChange) throws -> Bool {
        try !database.valueRows(
            "SELECT 1 FROM \(OutboxTables.former) WHERE change = ? LIMIT 1", with: [change.id.databaseValue]
        ).isEmpty
    }

    private func dropFormer(_ id: Int64) throws {
        try database.change("DELETE FROM \(OutboxTables.former) WHERE change = ?", with: [id.databaseValue])
    }

    /// Sets the base, the values that the server has.
    package func setBase(_ row: [DatabaseValue]) throws {
        try dropBase(of: RecordKey(plan.keyColumns.map { row[$0] }))
        let columns = plan.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let placeholders = plan.columns.map { _ in "?" }.joined(separator: ", ")
        try database.change("INSERT INTO \(table) (\(columns)) VALUES (\(placeholders))", with: row)
    }

    // MARK: Responses

    /// The server has accepted what was sent (Rules.md, P4). The change is removed, unless the record was changed again
    /// since it was read. Then what was sent becomes the base of the remaining change.
    ///
    /// - Returns: Whether nothing remains to be sent.
    @discardableResult
    package func confirm(_ sent: OutboxSnapshot) throws -> Bool {
        guard let now = try sent.change.current(database, of: plan) else { return true }
        if now.version == sent.change.version, !sent.isPart {
            try forget(now.key, id: now.id)
            return true
        }
        switch (sent.change.kind, now.kind) {
        case (.delete, .delete):
            try forget(now.key, id: now.id)
            return true
        case (.delete, _):
            // Created again meanwhile: it is new on the server.
            try dropBase(of: now.key)
            try reset(now, to: .create)
        case (_, .delete):
            if let row = sent.row { try setBase(row) }
            try reset(now, to: .delete)
        default:
            guard plan.tracks(.update) else {
                try forget(now.key, id: now.id)
                return true
            }
            if let row = sent.row { try setBase(row) }
            try settleLinks(sent)
            try reset(now, to: .update)
            guard sent.isPart else { return try settle(now.key) }
            if now.version == sent.change.version { try leaveRest(now) }
            return false
        }
        return false
    }

    /// Records that an attempt has failed, and how long to wait for the next. What was parked before is not any more:
    /// it was sent with a record that contains it.
    package func fail(_ change: PendingChange, error: String, wait: StoredWait?) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET attempts = \(AttemptCount.incremented("attempts")), error = ?, \
            retry_at = ?, \(StoredWait.startColumn) = ?, \(OutboxSQL.unparked) WHERE \(Self.isChange)
            """,
            with: [
                error.databaseValue, (wait?.end.timeIntervalSince1970).databaseValue,
                (wait?.start?.timeIntervalSince1970).databaseValue,
            ] + Self.arguments(change))
    }

    /// Parks a change that the server permanently rejects (Rules.md, P8). If it was edited meanwhile, it is retried
    /// in its current state.
    ///
    /// - Parameter isAccepted: Whether the server has accepted a creation whose record it has not identified. Another
    ///   request would create a second record: what was sent is kept, to be repeated only if the app asks for it.
    package func park(
        _ change: PendingChange, status: Int, body: Data, error: String? = nil, isAccepted: Bool = false
    ) throws {
        if isAccepted { try set(.accepted, of: change) }
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET attempts = \(AttemptCount.incremented("attempts")), error = ?, \
            retry_at = NULL, parked_status = ?, parked_body = ? WHERE \(Self.isChange) \
            AND (version = ? OR \(OutboxSQL.isAccepted))
            """,
            with: [error.databaseValue, status.databaseValue, body.databaseValue] + Self.arguments(change)
                + [change.version.databaseValue])
        if isAccepted { return }
        // A rejected creation does not exist on the server. The next one is another request, and may have other
        // contents.
        guard change.kind == .create else { return try forgetSent(change) }
        try noteRefused(change)
        try requeue(change)
    }

    /// A sent creation has not taken effect, or is known to have: the same request is not sent again.
    package func forgetSent(_ change: PendingChange) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET idempotency_key = NULL, sent_body = NULL, \
            is_touched = is_touched & ~\(OutboxMarks.accepted.rawValue) WHERE \(Self.isChange)
            """, with: Self.arguments(change))
    }

    /// A sent creation has not taken effect: the former state of the record becomes its base again. If the record was
    /// deleted locally since it was sent, it exists nowhere now, and nothing is left to send.
    package func requeue(_ change: PendingChange) throws {
        try forgetSent(change)
        if let now = try change.current(database, of: plan), now.kind == .delete {
            return try forget(now.key, id: now.id)
        }
        try restoreFormer(of: change)
    }

    /// The server has another record in place of one whose creation was sent: until that is merged, it is not known
    /// what the server has.
    package func replaceSent(_ change: PendingChange) throws {
        try forgetSent(change)
        try restoreFormer(of: change)
    }

    /// Removes the delete of a record that the server is not known to have, after its record was merged.
    package func forgetDelete(_ change: PendingChange) throws {
        guard let now = try change.current(database, of: plan), now.kind == .delete, try base(of: now.key) == nil else {
            return
        }
        try forget(now.key, id: now.id)
    }

    /// The delete of a record was undone while its creation has no response yet: the creation is sent again unchanged.
    /// Differences are sent after it.
    package func resumeCreation(_ change: PendingChange) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET change = \(OutboxChange.create.rawValue), attempts = 0, retry_at = NULL, \
            error = NULL WHERE \(Self.isChange)
            """, with: Self.arguments(change))
        try database.change("DELETE FROM \(OutboxTables.links) WHERE \(isSource)", with: change.key.values)
    }

    /// The delete of a record was undone, but may have arrived: the current state is sent to the server.
    package func resumeUpdate(_ change: PendingChange) throws {
        try reset(change, to: .update)
        try set(.deletion, of: change)
        try database.change("DELETE FROM \(OutboxTables.links) WHERE \(isSource)", with: change.key.values)
    }

    /// Marks a record as changed even if it is not, so that it is sent.
    ///
    /// - Returns: Whether it exists locally.
    package func touch(_ key: RecordKey) throws -> Bool {
        guard plan.tracks(.update), let row = try database.valueRows(plan.findSQL, with: key.values).first else {
            return false
        }
        if try PendingChange.fetch(database, of: key, plan: plan) != nil { return true }
        try setBase(row)
        try database.change(
            """
            INSERT INTO \(OutboxTables.outbox) (entity, record, change, version, changed_at) \
            VALUES (?1, \(OutboxRecord.parameterSQL(plan, first: 3)), ?2, random() & 0xFFFFFFFFFFFF, \
            (julianday('now') - 2440587.5) * 86400.0)
            """, with: [plan.name.databaseValue, OutboxChange.update.rawValue.databaseValue] + key.values)
        return true
    }

    /// Counts a change of a pending record, so that a confirmation of what was sent leaves it pending.
    package func noteChange(of key: RecordKey) throws {
        guard let change = try PendingChange.fetch(database, of: key, plan: plan) else { return }
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET version = version + 1 WHERE id = ?", with: [change.id.databaseValue]
        )
    }

    package func change(of key: RecordKey) throws -> PendingChange? {
        try PendingChange.fetch(database, of: key, plan: plan)
    }

    /// Records changes of a pending record apart from columns and links, and counts them as a change.
    package func mark(_ change: PendingChange, marks: OutboxMarks) throws {
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET is_touched = is_touched | ?, version = version + 1 WHERE id = ?",
            with: [marks.rawValue.databaseValue, change.id.databaseValue])
    }

    /// Returns the changes of a record apart from columns and links, which have no row of their own.
    package func marks(of change: PendingChange) throws -> OutboxMarks {
        let row = try database.valueRows(
            "SELECT is_touched FROM \(OutboxTables.outbox) WHERE id = ?", with: [change.id.databaseValue]
        ).first
        return OutboxMarks(rawValue: row.flatMap { Int.fromDatabaseValue($0[0]) } ?? 0)
    }

    /// The server does not have the record any more: it is to be created there again, and may get another identity.
    package func makeAgain(_ change: PendingChange) throws {
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET version = version + 1 WHERE id = ?", with: [change.id.databaseValue]
        )
        try reset(change, to: .create)
    }

    /// The server's values of a record are not known any more.
    package func dropBase(of key: RecordKey) throws {
        try database.change("DELETE FROM \(table) WHERE \(isBase)", with: key.values)
    }

    // MARK: Remaining changes

    /// Removes the change of a record if the record does not differ from what the server has.
    ///
    /// - Returns: Whether no change remains.
    @discardableResult
    package func settle(_ key: RecordKey) throws -> Bool {
        guard let change = try PendingChange.fetch(database, of: key, plan: plan) else { return true }
        guard change.kind == .update, try marks(of: change).subtracting(.left).isEmpty, try links(of: key).isEmpty,
            let base = try base(of: key),
            let row = try database.valueRows(plan.findSQL, with: key.values).first,
            plan.travellingColumns.allSatisfy({ base[$0].isIdentical(to: row[$0]) }),
            try unconfirmed(change.id).isEmpty,
            try !InsideChanges(database).areIn(plan, key: key)
        else { return false }
        try forget(key, id: change.id)
        return true
    }

    /// Removes a change with everything that belongs to it.
    package func forget(_ key: RecordKey, id: Int64) throws {
        try dropBase(of: key)
        try database.change("DELETE FROM \(OutboxTables.links) WHERE \(isSource)", with: key.values)
        try database.change("DELETE FROM \(OutboxTables.outbox) WHERE id = ?", with: [id.databaseValue])
        try dropFormer(id)
        try dropUnconfirmed(id)
        // Whoever shows the record shows that it is synced.
        try NoteFunction.noteUpdate(of: key, plan: plan, in: database)
    }

    private func reset(_ change: PendingChange, to kind: OutboxChange) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET change = ?, idempotency_key = NULL, sent_body = NULL, attempts = 0, \
            retry_at = NULL, error = NULL, parked_status = NULL, parked_body = NULL, \
            is_touched = is_touched & ~\(OutboxMarks.ofRequest.rawValue) WHERE id = ?
            """, with: [kind.rawValue.databaseValue, change.id.databaseValue])
        try dropFormer(change.id)
        try dropUnconfirmed(change.id)
    }

    /// The remaining part of a change differs from what was sent.
    private func leaveRest(_ change: PendingChange) throws {
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET version = version + 1, is_touched = 0 WHERE id = ?",
            with: [change.id.databaseValue])
    }

    /// Removes the sent links from the change. A link that was undone meanwhile becomes a change in the other
    /// direction.
    private func settleLinks(_ sent: OutboxSnapshot) throws {
        let (entity, record) = (OutboxSQL.literal(plan.name), OutboxRecord.parameterSQL(plan, first: 3))
        for link in sent.links {
            let arguments = [link.name.databaseValue, link.destination] + sent.change.key.values
            let isLink = "entity = \(entity) AND join_table = ?1 AND destination = ?2 AND source = \(record)"
            let now = try database.valueRows(
                "SELECT is_added FROM \(OutboxTables.links) WHERE \(isLink)", with: arguments)
            if now.isEmpty {
                try database.change(
                    """
                    INSERT INTO \(OutboxTables.links) (entity, join_table, destination, source, is_added) \
                    VALUES (\(entity), ?1, ?2, \(record), \(link.isAdded ? 0 : 1))
                    """, with: arguments)
            } else if Int.fromDatabaseValue(now[0][0]) == (link.isAdded ? 1 : 0) {
                try database.change("DELETE FROM \(OutboxTables.links) WHERE \(isLink)", with: arguments)
            }
        }
    }

    private static let isChange = "id = ? AND entity = ?"

    private static func arguments(_ change: PendingChange) -> [DatabaseValue] {
        [change.id.databaseValue, change.entity.databaseValue]
    }
}

extension Optional where Wrapped: DatabaseValueConvertible {
    fileprivate var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
