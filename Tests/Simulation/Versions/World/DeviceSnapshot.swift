import Foundation
import GRDB
import LockstepStore

/// All that a device has at a moment, in the form of its version.
struct DeviceSnapshot: Sendable {
    /// The records as the app has them, as their representations encode them.
    var records: [JournalCollection: [String: JSONValue]] = [:]
    /// The rows of the outbox.
    var pending: [Place: Pending] = [:]
    var leftovers: [Leftover] = []

    /// Where a record is, whatever a version calls it.
    struct Place: Hashable, Comparable, CustomStringConvertible {
        let collection: JournalCollection
        let key: String

        var description: String { "\(collection.rawValue)/\(key)" }

        static func < (left: Place, right: Place) -> Bool {
            (left.collection, left.key) < (right.collection, right.key)
        }
    }

    struct Pending: Sendable {
        let change: OutboxChange
        /// The creation that was sent and has no response, and its key.
        let sentBody: Data?
        let idempotencyKey: String?
        let parkedStatus: Int?
        /// The row, and what it was before the first edit that is not confirmed, by the keys of its version.
        let row: JSONValue?
        let base: JSONValue?
        /// The values that were sent for it without a response, each as an object with its key.
        let unconfirmed: Set<JSONValue>
        /// Whether there is more to it than the columns of its row.
        let hasMore: Bool

        var isUnconfirmed: Bool { sentBody != nil || !unconfirmed.isEmpty }
    }

    init(of store: Store, _ version: JournalVersion) async throws {
        records = try await store.perform { context in
            var records: [JournalCollection: [String: JSONValue]] = [:]
            for collection in JournalCollection.sent {
                records[collection] = try Self.records(version.type(of: collection), context)
            }
            return records
        }
        pending = try await store.writer.read { [plans = store.plans] in try Self.pending(plans, version, $0) }
        leftovers = try store.leftovers()
    }

    private static func records<Object: Model>(_ type: Object.Type, _ context: ManagedObjectContext) throws -> [String:
        JSONValue]
    {
        var records: [String: JSONValue] = [:]
        for object in try context.fetch(Object.all()) {
            let json = try JSONValue(json: JSONEncoder().encode(object.representation))
            records[object.recordKey.text] = JournalSteps.canonical(json)
        }
        return records
    }

    private static func pending(
        _ plans: SchemaPlan, _ version: JournalVersion, _ database: Database
    ) throws -> [Place: Pending] {
        var pending: [Place: Pending] = [:]
        for plan in plans {
            guard let collection = version.collection(named: plan.name) else { continue }
            let rows = try Self.rows(of: plan, in: plan.table, database)
            let bases = try Self.rows(of: plan, in: OutboxTables.base(of: plan), database)
            let changes = try Row.fetchAll(
                database,
                sql: """
                    SELECT record, change, sent_body, idempotency_key, parked_status, id, is_touched <> 0 \
                    OR EXISTS (SELECT 1 FROM \(OutboxTables.links) AS l WHERE l.source = o.record) \(inside(plan)) \
                    FROM \(OutboxTables.outbox) AS o WHERE entity = ?
                    """, arguments: [plan.name])
            for change in changes {
                let key: String = change[0]
                pending[Place(collection: collection, key: key)] = Pending(
                    change: OutboxChange(rawValue: change[1]) ?? .update, sentBody: change[2],
                    idempotencyKey: change[3], parkedStatus: change[4], row: rows[key], base: bases[key],
                    unconfirmed: try unconfirmed(change[5], plan, database), hasMore: change[6])
            }
        }
        return pending
    }

    /// Whether something inside a record is pending, as the end of a condition.
    private static func inside(_ plan: EntityPlan) -> String {
        var condition = ""
        for relationship in plan.relationships where relationship.isEmbedded {
            let member = relationship.destination
            guard let columns = relationship.columnsOfInverse, columns.count == 1 else { continue }
            let owner = SQLName.quoted(member.columns[columns[0]].name)
            for table in [member.table, OutboxTables.base(of: member)] {
                condition += """
                     OR EXISTS (SELECT 1 FROM \(OutboxTables.outbox) AS i JOIN \(SQLName.quoted(table)) AS t \
                    ON i.record = \(member.outboxRecordSQL("t")) \
                    WHERE i.entity = '\(member.name)' AND t.\(owner) = o.record)
                    """
            }
        }
        return condition
    }

    /// The rows of a table by key, each by the keys of its JSON or, for what has none, by its columns.
    private static func rows(
        of plan: EntityPlan, in table: String, _ database: Database
    ) throws -> [String: JSONValue] {
        let columns = plan.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        var rows: [String: JSONValue] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT \(columns) FROM \(SQLName.quoted(table))") {
            var json: JSONObject = [:]
            for (index, column) in plan.columns.enumerated() {
                json[key(of: column)] = value(column, row[index])
            }
            rows[row[plan.keyColumns[0]]] = .object(json)
        }
        return rows
    }

    private static func unconfirmed(
        _ change: Int64, _ plan: EntityPlan, _ database: Database
    ) throws -> Set<JSONValue> {
        let sql = "SELECT name, value FROM \(OutboxTables.unconfirmed) WHERE change = ? AND NOT is_link"
        var values: Set<JSONValue> = []
        for row in try Row.fetchAll(database, sql: sql, arguments: [change]) {
            let name: String = row[0]
            guard let column = plan.columns.first(where: { $0.name == name }) else { continue }
            values.insert(.object([key(of: column): value(column, row[1])]))
        }
        return values
    }

    private static func key(of column: ColumnDescription) -> String { column.wire?.path.first ?? column.name }

    private static func value(_ column: ColumnDescription, _ value: DatabaseValue) -> JSONValue {
        let flag = column.type == .bool ? Bool.fromDatabaseValue(value) : nil
        return flag.map(JSONValue.bool) ?? JSONValue(storedScalar: value)
    }
}
