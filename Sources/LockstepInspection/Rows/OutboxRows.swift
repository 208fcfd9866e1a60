import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// The rows of the outbox of a file that is only inspected, with the records that they are about.
struct OutboxRows {
    /// A row of the outbox without what was sent.
    struct Change {
        let id: Int64
        let entity: String
        /// The record's key in the outbox's encoding.
        let record: DatabaseValue
        let kind: OutboxChange?
        let since: Date
        let attempts: Int
        let retryAt: Date?
        let error: String?
        let parkedStatus: Int?
        let parkedBody: Data?
        /// Whether it was sent and has no response yet.
        let isSent: Bool
        let marks: OutboxMarks
    }

    /// A number of links of a record that were added and removed.
    struct Links {
        let entity: String
        let record: DatabaseValue
        /// ``OutboxLinkRoute/name``.
        let link: String
        let isAdded: Bool
        let count: Int
    }

    private let rows: StoredRows
    private let database: Database

    init(_ database: Database) {
        self.database = database
        rows = StoredRows(database: database)
    }

    /// Whether the file has an outbox.
    func exists() throws -> Bool { try database.hasTable(OutboxTables.outbox) }

    /// Whether a file has any of a store's own tables.
    static func hasSystemTables(_ database: Database) throws -> Bool {
        let tables = [OutboxTables.outbox, OutboxTables.entities, StoreTables.metadata]
        return try tables.contains { try database.hasTable($0) }
    }

    /// Whether changes are not recorded: a merge deletes the row that it has inserted for that in its transaction.
    func isQuiet() throws -> Bool { try database.hasRows(OutboxTables.quiet) }

    /// The table of each entity's rows.
    func tables() throws -> [String: String] { try OutboxClaims.formerTables(database) }

    func changes() throws -> [Change] {
        let columns = [
            "id", "entity", "record", "change", "changed_at", "attempts", "retry_at", "error", "parked_status",
            "parked_body", "idempotency_key", "is_touched",
        ]
        let unconfirmed = Set(try rows.rows(of: OutboxTables.unconfirmed, names: ["change"]).map { $0[0] })
        return try rows.rows(of: OutboxTables.outbox, names: columns, rest: "ORDER BY 1").map { row in
            Change(
                id: Int64.fromDatabaseValue(row[0]) ?? 0, entity: row.text(1) ?? "", record: row[2],
                kind: row.integer(3).flatMap(OutboxChange.init), since: Date(stored: row.real(4)) ?? .distantPast,
                attempts: AttemptCount.limited(row.integer(5)), retryAt: Date(stored: row.real(6)), error: row.text(7),
                parkedStatus: row.integer(8), parkedBody: Data.fromDatabaseValue(row[9]),
                isSent: !row[10].isNull || unconfirmed.contains(row[0]),
                marks: OutboxMarks(rawValue: row.integer(11) ?? 0))
        }
    }

    func links() throws -> [Links] {
        let columns = ["entity", "source", "join_table", "is_added"]
        let links = try rows.rows(of: OutboxTables.links, names: columns).map { row in
            [row[0], row[1], row[2], row[3]]
        }
        return Dictionary(grouping: links, by: RecordKey.init).values.map { all in
            let row = all[0]
            return Links(
                entity: row.text(0) ?? "", record: row[1], link: row.text(2) ?? "", isAdded: row.integer(3) != 0,
                count: all.count)
        }
    }

    /// The rows of an entity's changed records as they are now, by their keys in the outbox's encoding.
    func current(of plan: EntityPlan, named entity: String) throws -> [RecordKey: [DatabaseValue]] {
        try records(in: plan.table, plan: plan, of: entity)
    }

    /// The rows of an entity's changed records before their first unconfirmed change.
    func former(of plan: EntityPlan, named entity: String) throws -> [RecordKey: [DatabaseValue]] {
        try records(in: OutboxTables.base(of: plan), plan: plan, of: entity)
    }

    /// The columns in which an entity's changed records differ from their former rows, by their keys in the outbox's
    /// encoding. Records without a former row are left out. The rows themselves are not read.
    func changedColumns(of plan: EntityPlan, named entity: String) throws -> [RecordKey: Set<Int>] {
        let base = OutboxTables.base(of: plan)
        let (known, knownBefore) = (Set(try rows.columns(of: plan.table)), Set(try rows.columns(of: base)))
        let keys = plan.keyColumns.map { plan.columns[$0].name }
        guard !keys.isEmpty, keys.allSatisfy({ known.contains($0) && knownBefore.contains($0) }) else { return [:] }
        let differences = plan.columns.map { column -> String in
            let name = SQLName.quoted(column.name)
            let now = known.contains(column.name) ? "now.\(name)" : "NULL"
            return "\(now) COLLATE BINARY IS NOT \(knownBefore.contains(column.name) ? "base.\(name)" : "NULL")"
        }
        let isSame = keys.map { "now.\(SQLName.quoted($0)) = base.\(SQLName.quoted($0))" }
        let found = try database.valueRows(
            """
            SELECT \(plan.outboxRecordSQL("now")), \(differences.joined(separator: ", ")) \
            FROM \(SQLName.quoted(base)) AS base JOIN \(SQLName.quoted(plan.table)) AS now \
            ON \(isSame.joined(separator: " AND ")) \
            WHERE \(plan.outboxRecordSQL("now")) IN (SELECT record FROM \(OutboxTables.outbox) WHERE entity = ?)
            """, with: [entity.databaseValue])
        let changed = found.map { row in
            (RecordKey(row[0]), Set(plan.columns.indices.filter { row.integer($0 + 1) == 1 }))
        }
        return Dictionary(changed, uniquingKeysWith: { first, _ in first })
    }

    private func records(in table: String, plan: EntityPlan, of entity: String) throws -> [RecordKey: [DatabaseValue]] {
        let known = Set(try rows.columns(of: table))
        guard plan.keyColumns.allSatisfy({ known.contains(plan.columns[$0].name) }) else { return [:] }
        let names = plan.columns.map { known.contains($0.name) ? SQLName.quoted($0.name) : "NULL" }
        // One pass over the table: a key of several columns has no index in the outbox's encoding.
        let found = try database.valueRows(
            """
            SELECT \(plan.outboxRecordSQL()), \(names.joined(separator: ", ")) FROM \(SQLName.quoted(table)) \
            WHERE \(plan.outboxRecordSQL()) IN (SELECT record FROM \(OutboxTables.outbox) WHERE entity = ?)
            """, with: [entity.databaseValue])
        return Dictionary(found.map { (RecordKey($0[0]), Array($0[1...])) }, uniquingKeysWith: { first, _ in first })
    }
}
