package import GRDB

/// The statements by which a merge reads and writes the pending changes of one entity's records. Those of the outbox
/// take the entity's name, then the key.
package final class EditStatements {
    package let find: RawStatement
    /// Finds a change of no entity; `nil` if there are none.
    package let findUnclaimed: RawStatement?
    package let becomeUpdate: RawStatement
    package let becomeCreate: RawStatement
    package let drop: RawStatement
    package let findFormer: RawStatement
    package let dropFormer: RawStatement
    /// Finds the values of requests without a response; `nil` if there are none for any record.
    package let findUnconfirmed: RawStatement?
    package let dropUnconfirmed: RawStatement
    /// Takes the column's name after the key.
    package let dropUnconfirmedColumn: RawStatement
    package let clearDeletion: RawStatement
    package let findBase: RawStatement
    package let writeBase: RawStatement
    package let dropBase: RawStatement
    /// One for each relationship whose links are sent with the records.
    package let dropLinks: [RawStatement]

    /// Returns every pending record of an entity: its key, then the columns of ``find``. Takes the entity's name.
    package static func all(_ database: Database) throws -> RawStatement {
        try RawStatement(
            """
            SELECT record, change, idempotency_key IS NOT NULL, is_touched FROM \(OutboxTables.outbox) WHERE entity = ?
            """, in: database)
    }

    package init(_ plan: EntityPlan, links: [OutboxLinkRoute], in database: Database, unclaimed: [String] = []) throws {
        let outbox = OutboxTables.outbox
        let base = SQLName.quoted(OutboxTables.base(of: plan))
        let columns = plan.columns.map { SQLName.quoted($0.name) }
        let record = plan.outboxRecordSQL(of: plan.keyColumns.indices.map { "?\($0 + 2)" })
        let isRow = "entity = ?1 AND record = \(record)"
        // The response to an earlier request says nothing about the next one.
        let resetting = """
            idempotency_key = NULL, sent_body = NULL, attempts = 0, retry_at = NULL, error = NULL, \
            parked_status = NULL, parked_body = NULL, is_touched = is_touched & ~\(OutboxMarks.ofRequest.rawValue)
            """
        find = try RawStatement(
            kept: "SELECT change, idempotency_key IS NOT NULL, is_touched FROM \(outbox) WHERE \(isRow)", in: database)
        let names = unclaimed.map(OutboxSQL.literal).joined(separator: ", ")
        findUnclaimed =
            unclaimed.isEmpty
            ? nil
            : try RawStatement(
                """
                SELECT change, idempotency_key IS NOT NULL, is_touched, ?1 FROM \(outbox) \
                WHERE entity IN (\(names)) AND record = \(record)
                """, in: database)
        becomeUpdate = try RawStatement(
            kept: "UPDATE \(outbox) SET change = \(OutboxChange.update.rawValue), \(resetting) WHERE \(isRow)",
            in: database
        )
        becomeCreate = try RawStatement(
            kept: "UPDATE \(outbox) SET change = \(OutboxChange.create.rawValue), version = version + 1, \(resetting) "
                + "WHERE \(isRow)", in: database)
        drop = try RawStatement(kept: "DELETE FROM \(outbox) WHERE \(isRow)", in: database)
        let isFormer = "change = (SELECT id FROM \(outbox) WHERE \(isRow))"
        findFormer = try RawStatement(
            kept: "SELECT name, value FROM \(OutboxTables.former) WHERE \(isFormer)", in: database)
        dropFormer = try RawStatement(kept: "DELETE FROM \(OutboxTables.former) WHERE \(isFormer)", in: database)
        let unconfirmed = OutboxTables.unconfirmed
        let isAnyUnconfirmed = try RawStatement(kept: "SELECT 1 FROM \(unconfirmed) LIMIT 1", in: database).firstValue(
            [])
        findUnconfirmed =
            isAnyUnconfirmed == nil
            ? nil
            : try RawStatement("SELECT name, value FROM \(unconfirmed) WHERE \(isFormer) AND NOT is_link", in: database)
        dropUnconfirmed = try RawStatement(kept: "DELETE FROM \(unconfirmed) WHERE \(isFormer)", in: database)
        dropUnconfirmedColumn = try RawStatement(
            kept: "DELETE FROM \(unconfirmed) WHERE \(isFormer) AND name = ?\(plan.keyColumns.count + 2)", in: database)
        clearDeletion = try RawStatement(
            kept: "UPDATE \(outbox) SET is_touched = is_touched & ~\(OutboxMarks.deletion.rawValue) WHERE \(isRow)",
            in: database)
        findBase = try RawStatement(
            kept: "SELECT \(columns.joined(separator: ", ")) FROM \(base) WHERE \(plan.keyCondition)", in: database)
        writeBase = try RawStatement(
            kept: "INSERT OR REPLACE INTO \(base) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))", in: database)
        dropBase = try RawStatement(kept: "DELETE FROM \(base) WHERE \(plan.keyCondition)", in: database)
        dropLinks = try links.filter { !$0.isOrderOnly }.map { link in
            try RawStatement(
                kept: "DELETE FROM \(OutboxTables.links) WHERE join_table = \(OutboxSQL.literal(link.name)) "
                    + "AND source = \(record)", in: database)
        }
    }
}
