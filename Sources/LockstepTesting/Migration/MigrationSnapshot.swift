package import Foundation
package import GRDB
import LockstepEvolution
package import LockstepStore

/// Everything that a migration must carry, read from a file.
package struct MigrationSnapshot: Equatable {
    /// The rows of each entity by key, as values by column.
    package var rows: [String: [String: [String: DatabaseValue]]] = [:]
    /// The bases of each entity's pending changes.
    package var bases: [String: [String: [String: DatabaseValue]]] = [:]
    package var pending: [String: Pending] = [:]
    /// The rows of join tables, as texts.
    package var joins: [String: Set<[DatabaseValue]>] = [:]
    package var leftovers: Int = 0
    package var validators: Set<String> = []

    /// A row of the outbox.
    package struct Pending: Equatable {
        package var entity: String
        package var record: DatabaseValue
        package var kind: PendingChange.Kind
        package var sentBody: Data?
        package var idempotencyKey: String?
        package var isParked: Bool
    }

    /// - Throws: An error of SQLite.
    package init(_ database: Database, schema: RecordedSchema) throws {
        for plan in schema.description.plan {
            rows[plan.name] = try Self.rows(plan, table: plan.table, in: database)
            let base = BaseTable(plan, in: database).name
            if try database.hasTable(base) { bases[plan.name] = try Self.rows(plan, table: base, in: database) }
        }
        for join in SchemaLookup(schema.structure).joinTables {
            let columns = (join.left.columns + join.right.columns).map(SQLName.quoted).joined(separator: ", ")
            joins[join.name] = Set(try database.valueRows("SELECT \(columns) FROM \(SQLName.quoted(join.name))"))
        }
        for row in try OutboxTable.storedRows(database) {
            let kind: PendingChange.Kind =
                switch Int.fromDatabaseValue(row.change) {
                case 0: .create
                case 1: .update
                default: .delete
                }
            pending["\(row.entity) \(row.record)"] = Pending(
                entity: row.entity, record: row.record, kind: kind, sentBody: row.sentBody,
                idempotencyKey: row.idempotencyKey, isParked: row.isParked)
        }
        leftovers = try LeftoverTable.count(database)
        validators = try ValidatorTable.entities(database)
    }

    private static func rows(
        _ plan: EntityPlan, table: String, in database: Database
    ) throws -> [String: [String: DatabaseValue]] {
        let names = plan.columns.map(\.name)
        let record = plan.outboxRecordSQL(SQLName.quoted(table))
        let columns = names.map { "\(SQLName.quoted(table)).\(SQLName.quoted($0))" }.joined(separator: ", ")
        var rows: [String: [String: DatabaseValue]] = [:]
        for row in try database.valueRows("SELECT \(record), \(columns) FROM \(SQLName.quoted(table))") {
            rows["\(row[0])"] = Dictionary(zip(names, row.dropFirst()), uniquingKeysWith: { first, _ in first })
        }
        return rows
    }
}
