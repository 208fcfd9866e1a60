import GRDB
import LockstepStore

extension Store {
    /// Deletes records that the server has no longer.
    func applyServerDeletes(of plan: EntityPlan, _ identities: [RemoteIdentity]) async throws {
        try await writeQuietly("deleting what the server has no longer") { [plans] database, changes in
            for identity in identities {
                let columns = plan.remoteColumn.map { [$0] } ?? plan.keyColumns
                let values = try zip(columns, identity.values).map { try $1.stored(as: plan.columns[$0].type) }
                let condition = columns.map { "\(SQLName.quoted(plan.columns[$0].name)) = ?" }.joined(separator: " AND ")
                guard let row = try Row.fetchOne(database, sql: "\(plan.selectSQL) WHERE \(condition)", arguments: StatementArguments(values)) else { continue }
                let key = RecordKey(plan.keyColumns.map { row[$0] as DatabaseValue })
                if try OutboxReader(plans, database).change(of: key, in: plan) != nil { continue }
                try changes.note(.delete, in: plan.table, database)
                try database.execute(sql: plan.deleteSQL, arguments: StatementArguments(key.values))
            }
        }
    }
}
