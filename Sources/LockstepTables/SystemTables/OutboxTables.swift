package import GRDB
package import LockstepEvolution

/// The tables in which a store records what the server has not confirmed yet.
///
/// They are created with the store, and filled by triggers in the transaction of each change, whatever makes it.
package enum OutboxTables {
    /// One row for each changed record.
    ///
    /// | column | contents |
    /// | --- | --- |
    /// | `id` | the order in which records were changed first |
    /// | `entity`, `record` | the entity's name and the record's key: ``EntityPlan/outboxRecordSQL(_:)`` |
    /// | `change` | 0 created, 1 changed, 2 deleted: ``OutboxChange`` |
    /// | `version` | random at first and incremented by each change, so that a push detects changes made meanwhile |
    /// | `changed_at` | the time of the first change, seconds since 1970 |
    /// | `idempotency_key`, `sent_body`, `sent_version` | of a creation that was sent and has no response yet |
    /// | `attempts`, `error` | the number of attempts, the last error |
    /// | `retry_at`, `waits_since` | the time of the next attempt, and of the last one: ``StoredWait`` |
    /// | `parked_status`, `parked_body` | the response of a server that permanently rejects it |
    /// | `is_touched` | what was changed apart from columns, and has no row of its own: ``OutboxMarks`` |
    ///
    /// A record that is sent inside another one has a row like any other. It is sent with the owner's request; the
    /// owner also has a row, which is the one that is reported.
    package static let outbox = "lockstep_outbox"

    /// One row for each link that was added (1) or removed (0) locally: `entity`, `join_table`, `source`,
    /// `destination`, `is_added`. The keys are encoded as those of records; `entity` and `source` identify the end that
    /// is sent to the server: ``OutboxLinkRoute``.
    ///
    /// A removed link keeps its positions in ordered lists: `position` in the source's, `inverse_position` in the
    /// destination's.
    package static let links = "lockstep_outbox_link"

    /// The former column values of a creation that restores what the server had lost, from before it was sent: one row
    /// for each changed column, by the `id` of the creation (`change`) and the column's `name`, and ``formerRecord``.
    ///
    /// Meanwhile, the base contains what was sent. If it turns out not to have arrived, these values are the base
    /// again.
    package static let former = "lockstep_outbox_former"

    /// The name of a row of ``former`` that says that there was such a record, even if no column was changed: only
    /// links were, or what is embedded in it. No column has this name.
    static let formerRecord = "lockstep record"

    /// The values that were sent for changes without a response, so that the server may or may not have them: one row
    /// for each value of a column and each link, by the `id` of the change (`change`) and the `name` of the column or
    /// link. For a link, `value` is the destination, and `is_link` is 1.
    ///
    /// A value that was changed back must still be sent, and a value that the server returns was not changed by others.
    package static let unconfirmed = "lockstep_outbox_unanswered"

    /// The tables of the rows of each entity's name: `entity`, `table_name`. A later schema may have another table for
    /// the name, and another name for the table: ``OutboxClaims``.
    package static let entities = "lockstep_outbox_entity"

    /// Has a row while a merge applies the server's data, which disables the triggers.
    package static let quiet = StoreTables.quiet

    /// The table with the values of an entity's records before their first unconfirmed change. It has the entity's own
    /// columns. A record that was created locally has no row until it is sent, and then one with what was sent.
    package static func base(of plan: EntityPlan) -> String { "lockstep_base_\(plan.table)" }

    /// The statements that create the tables if needed.
    ///
    /// The columns with keys and values have no type, so SQLite stores the values of the entity's own columns
    /// unchanged.
    static func statements(_ plans: SchemaPlan) -> [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS \(outbox) (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, record NOT NULL, \
            change INTEGER NOT NULL, version INTEGER NOT NULL, changed_at REAL NOT NULL, idempotency_key TEXT, \
            sent_body BLOB, sent_version INTEGER, attempts INTEGER NOT NULL DEFAULT 0, retry_at REAL, error TEXT, parked_status INTEGER, \
            parked_body BLOB, is_touched INTEGER NOT NULL DEFAULT 0, waits_since REAL)
            """,
            "CREATE UNIQUE INDEX IF NOT EXISTS lockstep_outbox_record ON \(outbox) (entity, record)",
            """
            CREATE TABLE IF NOT EXISTS \(links) (entity TEXT NOT NULL, join_table TEXT NOT NULL, source NOT NULL, \
            destination NOT NULL, is_added INTEGER NOT NULL, position INTEGER, inverse_position INTEGER, \
            PRIMARY KEY (join_table, source, destination)) WITHOUT ROWID
            """,
            """
            CREATE INDEX IF NOT EXISTS lockstep_outbox_link_destination ON \(links) (join_table, destination)
            """,
            """
            CREATE TABLE IF NOT EXISTS \(former) (change INTEGER NOT NULL, name TEXT NOT NULL, value, \
            PRIMARY KEY (change, name)) WITHOUT ROWID
            """,
            """
            CREATE TABLE IF NOT EXISTS \(unconfirmed) (change INTEGER NOT NULL, name TEXT NOT NULL, value, \
            is_link INTEGER NOT NULL DEFAULT 0)
            """,
            "CREATE INDEX IF NOT EXISTS lockstep_outbox_unanswered_change ON \(unconfirmed) (change, name)",
            """
            CREATE TABLE IF NOT EXISTS \(entities) (entity TEXT PRIMARY KEY NOT NULL, table_name TEXT NOT NULL) \
            WITHOUT ROWID
            """,
            "CREATE TABLE IF NOT EXISTS \(quiet) (id INTEGER PRIMARY KEY)",
        ] + plans.filter(\.isTracked).map(baseStatement)
    }

    private static func baseStatement(_ plan: EntityPlan) -> String {
        let columns = plan.columns.map { SQLName.quoted($0.name) }
        let key = plan.keyColumns.map { columns[$0] }.joined(separator: ", ")
        return """
            CREATE TABLE IF NOT EXISTS \(SQLName.quoted(base(of: plan))) (\(columns.joined(separator: ", ")), \
            PRIMARY KEY (\(key))) WITHOUT ROWID
            """
    }
}

/// The operation on a record since the server last confirmed it.
package enum OutboxChange: Int, Sendable {
    case create, update, delete
}

/// The changes of a record apart from its columns and links, which have no row of their own.
package struct OutboxMarks: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Something that it embeds: a record without a row, or such a record's links.
    package static let embedded = OutboxMarks(rawValue: 1)
    /// The order of a list.
    package static let order = OutboxMarks(rawValue: 2)
    /// The record's delete was sent without a response, so the server may or may not have it. If the record is not
    /// deleted any more, everything is sent.
    package static let deletion = OutboxMarks(rawValue: 4)
    /// The record has left its owner, as the server has confirmed, and now exists nowhere on the server.
    package static let left = OutboxMarks(rawValue: 8)
    /// The server has accepted the creation of a record that its response does not identify (Rules.md, P10). It is
    /// parked, and stays parked if the record is edited.
    package static let accepted = OutboxMarks(rawValue: 16)
    /// The marks of a request that was sent: they say nothing about the next one.
    static let ofRequest: OutboxMarks = [.deletion, .accepted]
}

extension EntityPlan {
    /// Whether two devices never give two records the same identity, because it contains a UUID that the device
    /// creates. Any other, such as a name or a number, may be chosen twice (Rules.md, P10).
    package var hasOwnIdentity: Bool {
        guard remoteColumn == nil else { return false }
        return identityColumns.contains { column in
            if case .attribute = columns[column].content { columns[column].type == .uuid } else { false }
        }
    }

    /// Whether changes of this entity's records are sent as such. Those of records that belong to an owner are not.
    package var travels: Bool { hasIdentity && !(remote?.writes.isEmpty ?? true) }

    /// Whether the server accepts this kind of change of a record.
    package func takes(_ write: RemoteStructure.Write) -> Bool { travels && remote?.writes.contains(write) == true }

    /// The columns with the keys of owners that embed the records.
    package var ownerColumns: [[Int]] { ownerRelationships.sorted().map { foreignKeys[$0] } }

    /// The record that one with these values is sent inside; `nil` if it has no owner, or is sent separately.
    ///
    /// - Parameter ownership: Which records are sent inside others to a remote; `nil` for all that are embedded.
    package func owner(
        of row: [DatabaseValue], in ownership: WireOwnership? = nil
    ) -> (plan: EntityPlan, key: RecordKey)? {
        guard ownership?.isContained(self) ?? true else { return nil }
        for index in ownerRelationships {
            let values = foreignKeys[index].map { row[$0] }
            if values.allSatisfy({ !$0.isNull }) { return (relationships[index].destination, RecordKey(values)) }
        }
        return nil
    }

    /// Whether a record with these values has an owner that it is sent inside.
    package func isInside(_ row: [DatabaseValue]) -> Bool {
        ownerColumns.contains { $0.allSatisfy { !row[$0].isNull } }
    }

    /// The condition that a row has an owner that it is sent inside.
    ///
    /// - Parameter row: `NEW` or `OLD`.
    func isInsideSQL(_ row: String) -> String {
        let conditions = ownerColumns.map { columns in
            OutboxSQL.values(row, of: self, columns: columns).map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        }
        return conditions.map { "(\($0))" }.joined(separator: " OR ")
    }

    /// Whether changes of the records are recorded: if they are sent, separately or inside an owner.
    package var isTracked: Bool { travels || travelsInside }

    /// Whether this kind of change of a record is recorded.
    package func tracks(_ write: RemoteStructure.Write) -> Bool { takes(write) || travelsInside }

    /// The key of a row in SQL in the outbox's encoding: the column itself; if there are several, each as `quote()`
    /// encodes it, with text as the hexadecimal digits of its bytes, joined by commas. (`quote()` ends a text at its
    /// first NUL.)
    ///
    /// - Parameter row: The prefix of the column: `NEW`, `OLD` or the table's name, quoted; `nil` for none.
    package func outboxRecordSQL(_ row: String? = nil) -> String {
        outboxRecordSQL(of: keyColumns.map { (row.map { $0 + "." } ?? "") + SQLName.quoted(columns[$0].name) })
    }

    /// The same for a key in other columns: those of a foreign key.
    ///
    /// The `+` removes the column's affinity (https://www.sqlite.org/datatype3.html#affinity_of_expressions).
    /// Otherwise, SQLite would convert the outbox's column in a comparison with a numeric one, and could not use an
    /// index.
    package func outboxRecordSQL(of expressions: [String]) -> String {
        guard expressions.count > 1 else { return "+\(expressions[0])" }
        return zip(keyColumns, expressions).map { column, expression in
            columns[column].type.isKeptAsText ? "hex(\(expression))" : "quote(\(expression))"
        }.joined(separator: " || ',' || ")
    }
}

extension StoredType {
    /// Whether the column of such an attribute contains text.
    package var isKeptAsText: Bool {
        switch self {
        case .string, .decimal, .day, .uuid, .url, .json, .enumeration(.string, closed: _), .list, .attachment: true
        case .bool, .int, .int16, .int32, .int64, .float, .double, .date, .data, .enumeration(.int, closed: _): false
        case .custom(let custom): custom.stored.isKeptAsText
        }
    }
}
