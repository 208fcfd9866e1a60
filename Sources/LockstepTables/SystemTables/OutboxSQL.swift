import LockstepEvolution

/// Parts of the outbox's statements.
///
/// Those in triggers have no `OR` clause and no upsert, because SQLite would replace it with that of the statement that
/// fires the trigger (https://www.sqlite.org/lang_createtrigger.html). So each insert checks for existing rows first.
/// ``creation(of:)`` is not part of a trigger.
package enum OutboxSQL {
    static let isNotQuiet = "NOT EXISTS (SELECT 1 FROM \(OutboxTables.quiet))"

    /// The assignments for every further change of a record: it is sent (again) as soon as its turn comes, unless the
    /// server has accepted its creation without identifying the record.
    static let touched = "version = version + 1, attempts = 0, retry_at = NULL, \(unparked)"

    /// The assignments for a change that is sent again.
    static let unparked = """
        parked_status = CASE WHEN \(isAccepted) THEN parked_status END, \
        parked_body = CASE WHEN \(isAccepted) THEN parked_body END
        """

    /// Whether the server has accepted a creation that must not be sent again.
    static let isAccepted = "is_touched & \(OutboxMarks.accepted.rawValue)"

    /// The assignments for a record that was deleted and is created again: for the server, it has changed. One whose
    /// creation has no response yet is still new.
    static let recreated = """
        change = CASE WHEN idempotency_key IS NULL THEN \(OutboxChange.update.rawValue) \
        ELSE \(OutboxChange.create.rawValue) END, \(touched)
        """

    /// The first version. It is random, because a version that was read before the row was confirmed or discarded must
    /// not match that of a later row.
    static let firstVersion = "random() & 0xFFFFFFFFFFFF"

    /// Seconds since 1970.
    static let now = "(julianday('now') - 2440587.5) * 86400.0"

    /// A text as an SQL literal.
    package static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// The condition that a row of the outbox belongs to a record.
    static func isRow(of plan: EntityPlan, for record: String) -> String {
        "entity = \(literal(plan.name)) AND record = \(record)"
    }

    /// Whether the outbox has a row for a record.
    static func hasRow(of plan: EntityPlan, for record: String, and condition: String? = nil) -> String {
        let condition = condition.map { " AND \($0)" } ?? ""
        return "EXISTS (SELECT 1 FROM \(OutboxTables.outbox) WHERE \(isRow(of: plan, for: record))\(condition))"
    }

    /// Deletes rows of the outbox with what is kept for them: a later row may get the same number.
    static func deleteRows(_ condition: String) -> [String] {
        let rows = "SELECT id FROM \(OutboxTables.outbox) WHERE \(condition)"
        return [OutboxTables.former, OutboxTables.unconfirmed].map { "DELETE FROM \($0) WHERE change IN (\(rows))" }
            + ["DELETE FROM \(OutboxTables.outbox) WHERE \(condition)"]
    }

    /// Inserts a row into the outbox if there is none for the record.
    static func insertRow(
        _ change: OutboxChange, of plan: EntityPlan, for record: String, from source: String = "",
        where condition: String? = nil, marks: OutboxMarks = []
    ) -> String {
        let source = source.isEmpty ? " WHERE" : " FROM \(source) AND"
        return """
            INSERT INTO \(OutboxTables.outbox) (entity, record, change, version, changed_at, is_touched) \
            SELECT \(literal(plan.name)), \(record), \(change.rawValue), \(firstVersion), \(now), \
            \(marks.rawValue)\(source) \
            NOT \(hasRow(of: plan, for: record))\(condition.map { " AND (\($0))" } ?? "")
            """
    }

    /// Records a new record as the trigger does, in a separate statement whose arguments are the record's key. An
    /// existing row changes as it would in the trigger.
    static func creation(of plan: EntityPlan) -> String {
        let action =
            plan.tracks(.delete)
            ? "UPDATE SET \(recreated) WHERE change = \(OutboxChange.delete.rawValue)"
            : "NOTHING"
        return """
            INSERT INTO \(OutboxTables.outbox) (entity, record, change, version, changed_at) \
            VALUES (\(literal(plan.name)), \(OutboxRecord.parameterSQL(plan)), \(OutboxChange.create.rawValue), \
            \(firstVersion), \(now)) ON CONFLICT (entity, record) DO \(action)
            """
    }

    /// Stores a row as the base if there is none.
    ///
    /// - Parameters:
    ///   - row: The prefix of its columns.
    ///   - source: Where the row comes from, with a condition; if empty, the trigger's own row.
    static func insertBase(of plan: EntityPlan, row: String, from source: String = "", unless: String) -> String {
        let columns = plan.columns.map { SQLName.quoted($0.name) }
        let base = SQLName.quoted(OutboxTables.base(of: plan))
        let matches = plan.keyColumns.map { "\(base).\(columns[$0]) = +\(row).\(columns[$0])" }
        return """
            INSERT INTO \(base) (\(columns.joined(separator: ", "))) \
            SELECT \(columns.map { "\(row).\($0)" }.joined(separator: ", ")) \
            \(source.isEmpty ? "WHERE" : "FROM \(source) AND") NOT \(unless) \
            AND NOT EXISTS (SELECT 1 FROM \(base) WHERE \(matches.joined(separator: " AND ")))
            """
    }

    static func deleteBase(of plan: EntityPlan, row: String, where condition: String? = nil) -> String {
        let matches = plan.keyColumns.map { column in
            let name = SQLName.quoted(plan.columns[column].name)
            return "\(name) = +\(row).\(name)"
        }
        return """
            DELETE FROM \(SQLName.quoted(OutboxTables.base(of: plan))) WHERE \(matches.joined(separator: " AND "))\
            \(condition.map { " AND \($0)" } ?? "")
            """
    }

    /// `"table"."a" = NEW."b" AND …`
    static func matches(_ table: EntityPlan, columns: [Int], expressions: [String]) -> String {
        zip(columns, expressions).map { "\(table.qualifiedName(ofColumn: $0)) = \($1)" }.joined(separator: " AND ")
    }

    /// `("table"."a", "table"."b") IN (SELECT …)`
    static func isIn(_ table: EntityPlan, columns: [Int], selection: String) -> String {
        let names = columns.map(table.qualifiedName(ofColumn:)).joined(separator: ", ")
        return "\(columns.count > 1 ? "(\(names))" : names) IN (\(selection))"
    }

    /// `NEW."a" IS NOT OLD."a" OR …`
    static func isChanged(_ plan: EntityPlan, columns: [Int]) -> String {
        columns.map { column in
            let name = SQLName.quoted(plan.columns[column].name)
            return "NEW.\(name) IS NOT OLD.\(name)"
        }.joined(separator: " OR ")
    }

    /// The columns of the trigger's row.
    static func values(_ row: String, of plan: EntityPlan, columns: [Int]) -> [String] {
        columns.map { "\(row).\(SQLName.quoted(plan.columns[$0].name))" }
    }
}
