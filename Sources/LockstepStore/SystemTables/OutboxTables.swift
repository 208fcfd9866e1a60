package import GRDB
import LockstepSystem

/// The tables in which a store keeps what the server has not confirmed yet.
///
/// They are made with the store, and filled by triggers in the transaction of each change, whoever makes it.
package enum OutboxTables {
    /// One row for each changed record.
    ///
    /// | column | what it says |
    /// | --- | --- |
    /// | `id` | the order in which records were changed first |
    /// | `entity`, `record` | the entity's name and the record's key: ``EntityPlan/outboxRecordSQL(_:)`` |
    /// | `change` | 0 made, 1 changed, 2 deleted: ``OutboxChange`` |
    /// | `version` | starts anywhere and is counted up by each change, so that a push sees what was changed meanwhile |
    /// | `changed_at` | the first change, seconds since 1970 |
    /// | `idempotency_key`, `sent_body`, `sent_version` | of a creation that was sent and whose answer has not come |
    /// | `attempts`, `retry_at`, `error` | how often it was tried, when it is tried again, why it failed last |
    /// | `parked_status`, `parked_body` | the answer of a server that will never take it |
    /// | `is_touched` | what was changed besides columns, and has no row of its own: ``OutboxMarks`` |
    ///
    /// A record that reaches the server inside of another one has a row as any other has. It goes out with the owner's
    /// request, and the owner has a row too, which says so to people.
    package static let outbox = "lockstep_outbox"

    /// One row for each link that was added (1) or taken away (0) here: `entity`, `join_table`, `source`,
    /// `destination`, `is_added`. The keys are spelt as those of records; `entity` and `source` are of the end which
    /// tells the server of the link: ``OutboxLink``.
    ///
    /// A link that was taken away keeps its places in ordered lists: `position` in the source's, `inverse_position` in
    /// the destination's.
    package static let links = "lockstep_outbox_link"

    /// What columns had before a creation was sent that makes again what the server had lost: one row for each column
    /// that was changed, by the `id` of the creation (`change`) and the column's `name`.
    ///
    /// What was sent is the base meanwhile; where it turns out not to have arrived, the base has these values again.
    package static let former = "lockstep_outbox_former"

    /// What was sent of changes whose answers have not come, so that the server may have it or not: one row for each
    /// value of a column and each link, by the `id` of the change (`change`) and the column's or the link's `name`. Of
    /// a link the `value` is the destination, and `is_link` is 1.
    ///
    /// A value that is as before again is still to be sent, and one that the server tells was not changed by others.
    package static let unanswered = "lockstep_outbox_unanswered"

    /// The table that the rows under each name of an entity are about: `entity`, `table_name`. A later schema may have
    /// another table for the name, and another name for the table: ``OutboxClaims``.
    package static let entities = "lockstep_outbox_entity"

    /// Has a row while a merge applies what the server sent: the triggers are quiet then.
    package static let quiet = "lockstep_quiet"

    /// The table with the values of an entity's records before their first change that is not confirmed: the entity's
    /// own columns. A record that was made here has no row until it is sent; then it has what was sent.
    package static func base(of plan: EntityPlan) -> String { "lockstep_base_\(plan.table)" }

    /// The statements that make the tables where they are not there.
    ///
    /// The columns with keys and values have no type: SQLite keeps in them what the entity's own columns have, as it
    /// is.
    static func statements(_ plans: [EntityPlan]) -> [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS \(outbox) (id INTEGER PRIMARY KEY, entity TEXT NOT NULL, record NOT NULL, \
            change INTEGER NOT NULL, version INTEGER NOT NULL, changed_at REAL NOT NULL, idempotency_key TEXT, \
            sent_body BLOB, sent_version INTEGER, attempts INTEGER NOT NULL DEFAULT 0, retry_at REAL, error TEXT, parked_status INTEGER, \
            parked_body BLOB, is_touched INTEGER NOT NULL DEFAULT 0)
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
            CREATE TABLE IF NOT EXISTS \(unanswered) (change INTEGER NOT NULL, name TEXT NOT NULL, value, \
            is_link INTEGER NOT NULL DEFAULT 0)
            """,
            "CREATE INDEX IF NOT EXISTS lockstep_outbox_unanswered_change ON \(unanswered) (change, name)",
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

/// What was done to a record since the server last confirmed it.
package enum OutboxChange: Int, Sendable {
    case create, update, delete
}

/// What was changed of a record besides its columns and links, and has no row of its own.
package struct OutboxMarks: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Something that it embeds: a record that has no row, or such a record's links.
    package static let embedded = OutboxMarks(rawValue: 1)
    /// The order of a list.
    package static let order = OutboxMarks(rawValue: 2)
    /// The server was told that the record is to go, and did not answer: it may have it or not. Of one that is not
    /// deleted any more, all is sent.
    package static let deletion = OutboxMarks(rawValue: 4)
    /// It has left the record that it was inside of, as the server has confirmed, and is nowhere there now.
    package static let left = OutboxMarks(rawValue: 8)
}

extension EntityPlan {
    /// Whether no two devices give two records the same identity: it has a UUID that the device makes. Any other one,
    /// such as a name or a number, may be chosen twice (Rules.md, P10).
    package var hasOwnIdentity: Bool {
        guard case .columns(let key) = identity else { return false }
        return key.contains { column in
            if case .attribute = columns[column].content { columns[column].type == .uuid } else { false }
        }
    }

    /// Whether the server takes changes of this entity's records as such: not of those that belong to an owner.
    package var travels: Bool {
        if case .none = identity { return false }
        return !(remote?.writes.isEmpty ?? true)
    }

    /// Whether the server takes this kind of change of a record.
    package func takes(_ write: RemoteDescription.Write) -> Bool { travels && remote?.writes.contains(write) == true }

    /// Whether the records reach the server only inside of others, whose keys they hold. One without an owner is not
    /// written down until it has one.
    package var travelsInside: Bool {
        if let known = knownTravelsInside.withLock({ $0 }) { return known }
        let found = travelsInside(below: [])
        knownTravelsInside.withLock { $0 = found }
        return found
    }

    private func travelsInside(below members: [EntityPlan]) -> Bool {
        if case .none = identity { return false }
        guard !travels, !members.contains(where: { $0 === self }) else { return false }
        return zip(relationships, foreignKeys).contains { relationship, columns in
            guard !columns.isEmpty, relationship.embeddingInverse != nil else { return false }
            let owner = relationship.destination.entity.plan
            return owner.takes(.update) || owner.travelsInside(below: members + [self])
        }
    }

    /// The columns that hold the keys of owners which embed the records.
    package var ownerColumns: [[Int]] {
        zip(relationships, foreignKeys).filter { !$1.isEmpty && $0.embeddingInverse != nil }.map(\.1)
    }

    /// Whether a record with these values holds the key of an owner that it travels inside of.
    package func isInside(_ row: [DatabaseValue]) -> Bool {
        ownerColumns.contains { $0.allSatisfy { !row[$0].isNull } }
    }

    /// The condition that a row holds the key of an owner that it travels inside of.
    ///
    /// - Parameter row: `NEW` or `OLD`.
    func isInsideSQL(_ row: String) -> String {
        let conditions = ownerColumns.map { columns in
            OutboxSQL.values(row, self, columns).map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        }
        return conditions.map { "(\($0))" }.joined(separator: " OR ")
    }

    /// Whether each change of a record is written down: of those that travel, by themselves or inside of an owner.
    package var isTracked: Bool { travels || travelsInside }

    /// Whether this kind of change of a record is written down.
    package func tracks(_ write: RemoteDescription.Write) -> Bool { takes(write) || travelsInside }

    /// The key of a row in SQL, as the outbox spells it: the column itself; of several, each as `quote()` has it, texts
    /// as the hexadecimal digits of their bytes, joined by commas. (`quote()` ends a text at its first NUL.)
    ///
    /// - Parameter row: What stands before the column: `NEW`, `OLD` or the table's name, quoted. None for nothing.
    package func outboxRecordSQL(_ row: String? = nil) -> String {
        outboxRecordSQL(of: keyColumns.map { (row.map { $0 + "." } ?? "") + SQLName.quoted(columns[$0].name) })
    }

    /// The same of a key that other columns hold: those of a foreign key.
    ///
    /// The `+` takes the column's affinity away (https://www.sqlite.org/datatype3.html#affinity_of_expressions).
    /// Compared with a numeric column, the outbox's own would be converted, and no index could be used.
    package func outboxRecordSQL(of expressions: [String]) -> String {
        guard expressions.count > 1 else { return "+\(expressions[0])" }
        return zip(keyColumns, expressions).map { column, expression in
            columns[column].type.isKeptAsText ? "hex(\(expression))" : "quote(\(expression))"
        }.joined(separator: " || ',' || ")
    }
}

extension StoredType {
    /// Whether the column of such an attribute holds text.
    package var isKeptAsText: Bool {
        switch self {
        case .string, .decimal, .uuid, .url, .json, .enumeration(.string, closed: _), .list, .attachment: true
        case .bool, .int, .int16, .int32, .int64, .float, .double, .date, .data, .enumeration(.int, closed: _): false
        case .custom(let custom): custom.stored.isKeptAsText
        }
    }
}
