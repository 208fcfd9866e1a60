import Foundation
import GRDB
import LockstepEvolution

/// The rows that an app's conversion has not converted: it threw an error, or made a value that the limits exclude.
///
/// Such a row stays, so that links to it do. It gets what the conversion makes of its base values, or the initial
/// values if there are none. The row as it was becomes a leftover with the error, and a change of it that is still
/// pending is parked, because it would send the initial values.
struct FailedConversions {
    private let plan: MigrationPlan
    /// The version of the schema that the file had.
    private let version: Int
    /// Seconds since 1970.
    private let now: Double
    private let database: Database
    /// The records whose base values were not converted either, by entity.
    private var bases: [String: Set<RecordKey>] = [:]

    init(plan: MigrationPlan, version: Int, now: Double, database: Database) {
        (self.plan, self.version, self.now, self.database) = (plan, version, now, database)
    }

    /// Keeps the rows as leftovers. The columns still have their former values.
    mutating func keep() throws {
        if plan.conversions.isEmpty { return }
        try LeftoverTable.make(database)
        for planned in plan.conversions { try keep(planned) }
    }

    private mutating func keep(_ planned: MigrationPlan.PlannedConversion) throws {
        guard let entity = plan.evolution.new.entity(planned.entity),
            let former = plan.evolution.entities[planned.entity]?.origin.flatMap(plan.evolution.former.entity)
        else { return }
        let record = RecordSQL(entity, in: plan.evolution.new).sql("\"lockstep_rows\"")
        func failures(of table: String) -> String {
            """
            FROM (SELECT *, \(planned.error) AS "lockstep_error" FROM \(SQLName.quoted(table))) AS "lockstep_rows" \
            WHERE "lockstep_error" IS NOT NULL
            """
        }
        let members = SchemaLookup(plan.evolution.former).columns(of: former).compactMap { column in
            guard case .attribute(let name) = column.content else { return nil as (name: String, json: String)? }
            let value = SQLName.quoted(planned.columns[name] ?? column.name)
            return (name, "lockstep_json(\(value), \(OutboxSQL.literal(column.type.text)))")
        }
        try database.execute(
            sql: """
                INSERT INTO \(LeftoverTable.name) (entity, record, member, value, version, at, reason) \
                SELECT ?, \(record), NULL, \(LeftoverTable.object(members)), ?, ?, "lockstep_error" \
                \(failures(of: entity.table))
                """, arguments: [planned.entity, version, now])
        let base = "lockstep_base_\(entity.table)"
        guard try database.hasTable(base) else { return }
        let records = try database.valueRows("SELECT \(record) \(failures(of: base))")
        bases[planned.entity, default: []].formUnion(records.map { RecordKey($0[0]) })
    }

    /// Gives the rows what the conversion makes of their base values: the server has that. The edit is in the leftover.
    func restore() throws {
        for planned in plan.conversions {
            guard let entity = plan.evolution.new.entity(planned.entity),
                try database.hasTable("lockstep_base_\(entity.table)")
            else { continue }
            let (table, base) = (SQLName.quoted(entity.table), SQLName.quoted("lockstep_base_\(entity.table)"))
            let record = RecordSQL(entity, in: plan.evolution.new)
            let columns = planned.outputs.map(SQLName.quoted).joined(separator: ", ")
            let isBased = record.columns.map { "\(base).\($0) = \(table).\($0)" }.joined(separator: " AND ")
            let failed = try database.valueRows(
                """
                SELECT l.record FROM \(LeftoverTable.name) AS l JOIN \(base) ON \(record.sql(base)) = l.record \
                WHERE l.entity = ? AND l.at = ? AND l.version = ? AND l.reason IS NOT NULL
                """, with: [planned.entity.databaseValue, now.databaseValue, version.databaseValue])
            for row in failed where bases[planned.entity]?.contains(RecordKey(row[0])) != true {
                try database.change(
                    """
                    UPDATE \(table) SET (\(columns)) = (SELECT \(columns) FROM \(base) WHERE \(isBased)) \
                    WHERE \(record.sql(table)) = ?
                    """, with: [row[0]])
            }
        }
    }

    /// Whether a row of the outbox is parked because of this. A later migration does not retry it: the record still has
    /// the initial values.
    static let isFailed = """
        (parked_status = 0 AND EXISTS (SELECT 1 FROM \(LeftoverTable.name) AS l WHERE l.entity = \(OutboxTables.outbox).entity \
        AND l.record = \(OutboxTables.outbox).record AND l.reason = \(OutboxTables.outbox).error))
        """

    /// Parks the changes of these rows that are still pending, until the app has decided what becomes of them.
    func park() throws {
        guard !plan.conversions.isEmpty, try database.hasTable(OutboxTables.outbox) else { return }
        for planned in plan.conversions {
            try database.execute(
                sql: """
                    UPDATE \(OutboxTables.outbox) SET parked_status = 0, parked_body = X'', retry_at = NULL, \
                    error = (SELECT reason FROM \(LeftoverTable.name) AS l WHERE l.entity = \(OutboxTables.outbox).entity \
                    AND l.record = \(OutboxTables.outbox).record AND l.at = ?2 AND l.version = ?3 AND l.reason IS NOT NULL) \
                    WHERE entity = ?1 AND parked_status IS NULL AND change <> \(OutboxChange.delete.rawValue) \
                    AND record IN \
                    (SELECT record FROM \(LeftoverTable.name) \
                    WHERE entity = ?1 AND at = ?2 AND version = ?3 AND reason IS NOT NULL)
                    """, arguments: [planned.entity, now, version])
        }
    }
}
