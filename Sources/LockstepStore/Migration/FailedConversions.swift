import Foundation
import GRDB
import LockstepEvolution

/// The rows that an app's conversion has not converted: it threw an error, or made a value that the limits exclude.
///
/// Such a row keeps the initial values of what the conversion makes, so that links to it stay. The row as it was
/// becomes a leftover with the error. A pending change of it is parked, because it would send the initial values.
struct FailedConversions {
    let plan: MigrationPlan
    /// The version of the schema that the file had.
    let version: Int
    /// Seconds since 1970.
    let now: Double
    let database: Database

    /// Keeps the rows as leftovers. The columns still have their former values.
    func keep() throws {
        if plan.conversions.isEmpty { return }
        for statement in LeftoverTable.statements { try database.execute(sql: statement) }
        for planned in plan.conversions { try keep(planned) }
    }

    private func keep(_ planned: MigrationPlan.PlannedConversion) throws {
        guard let entity = plan.evolution.new.entity(planned.entity),
            let former = plan.evolution.entities[planned.entity]?.origin.flatMap(plan.evolution.former.entity)
        else { return }
        let table = SQLName.quoted(entity.table)
        let record = RecordSQL(entity, in: plan.evolution.new).sql("\"lockstep_rows\"")
        let members = SchemaLookup(plan.evolution.former).columns(of: former).compactMap { column -> String? in
            guard case .attribute(let name) = column.content else { return nil }
            let value = SQLName.quoted(planned.columns[name] ?? column.name)
            return "\(OutboxSQL.literal(name)), json(lockstep_json(\(value), \(OutboxSQL.literal(column.type.text))))"
        }
        try database.execute(
            sql: """
                INSERT INTO \(LeftoverTable.name) (entity, record, member, value, version, at, reason) \
                SELECT ?, \(record), NULL, \(Self.object(members)), ?, ?, "lockstep_error" \
                FROM (SELECT *, \(planned.error) AS "lockstep_error" FROM \(table)) AS "lockstep_rows" \
                WHERE "lockstep_error" IS NOT NULL
                """, arguments: [planned.entity, version, now])
    }

    /// An object of any number of members: SQLite's functions take at most 127 arguments.
    private static func object(_ members: [String]) -> String {
        let objects = stride(from: 0, to: members.count, by: 60).map { start in
            "json_object(\(members[start..<min(start + 60, members.count)].joined(separator: ", ")))"
        }
        return objects.dropFirst().reduce(objects.first ?? "NULL") { "json_patch(\($0), \($1))" }
    }

    /// Whether a row of the outbox is parked because of this. A later migration does not retry it: the record still has
    /// the initial values.
    static let isFailed = """
        (parked_status = 0 AND EXISTS (SELECT 1 FROM \(LeftoverTable.name) AS l WHERE l.entity = \(OutboxTables.outbox).entity \
        AND l.record = \(OutboxTables.outbox).record AND l.reason = \(OutboxTables.outbox).error))
        """

    /// Parks the pending changes of these rows until the app has decided what becomes of them.
    func park() throws {
        guard !plan.conversions.isEmpty, try database.hasTable(OutboxTables.outbox) else { return }
        for planned in plan.conversions {
            try database.execute(
                sql: """
                    UPDATE \(OutboxTables.outbox) SET parked_status = 0, parked_body = X'', retry_at = NULL, \
                    error = (SELECT reason FROM \(LeftoverTable.name) AS l WHERE l.entity = \(OutboxTables.outbox).entity \
                    AND l.record = \(OutboxTables.outbox).record AND l.at = ?2 AND l.reason IS NOT NULL) \
                    WHERE entity = ?1 AND parked_status IS NULL AND change <> \(OutboxChange.delete.rawValue) AND record IN \
                    (SELECT record FROM \(LeftoverTable.name) WHERE entity = ?1 AND at = ?2 AND reason IS NOT NULL)
                    """, arguments: [planned.entity, now])
        }
    }
}
