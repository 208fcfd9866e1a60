/// The tables in which a store keeps what the server has not confirmed yet.
///
/// They are made with the store, and filled by triggers in the transaction of each change, whoever makes it.
package enum OutboxTables {
    /// One row for each changed record.
    ///
    /// | column | what it says |
    /// | --- | --- |
    /// | `id` | the order in which records were changed first |
    /// | `entity`, `record` | the entity's name and the record's key: ``OutboxRecord`` |
    /// | `change` | 0 made, 1 changed, 2 deleted: ``OutboxChange`` |
    /// | `version` | counted up by each change, so that a push sees what was changed meanwhile |
    /// | `changed_at` | the first change, seconds since 1970 |
    /// | `idempotency_key`, `sent_body` | of a creation that was sent and whose answer has not come |
    /// | `attempts`, `retry_at`, `error` | how often it was tried, when it is tried again, why it failed last |
    /// | `parked_status`, `parked_body` | the answer of a server that will never take it |
    package static let outbox = "lockstep_outbox"

    /// One row for each link of a many to many that was added (1) or taken away (0) here: `join_table`, `source`,
    /// `destination`, `is_added`. The keys are spelt as ``OutboxRecord`` does.
    package static let links = "lockstep_outbox_link"

    /// Has a row while a merge applies what the server sent: the triggers are quiet then.
    package static let quiet = "lockstep_quiet"

    /// The table with the values of an entity's records before their first change that is not confirmed: the entity's
    /// own columns. A record that was made here has no row until it is sent; then it has what was sent.
    package static func base(of plan: EntityPlan) -> String { "lockstep_base_\(plan.table)" }
}

/// What was done to a record since the server last confirmed it.
package enum OutboxChange: Int, Sendable {
    case create, update, delete
}

extension EntityPlan {
    /// The key of a row in SQL, as the outbox spells it: the column itself, or `quote()` of each, joined by commas.
    ///
    /// - Parameter row: What stands before the column: `NEW`, `OLD` or the table's name, unquoted. None for nothing.
    package func outboxRecordSQL(_ row: String? = nil) -> String {
        let names = keyColumns.map { (row.map { $0 + "." } ?? "") + SQLName.quoted(columns[$0].name) }
        return names.count == 1 ? names[0] : names.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    }
}
