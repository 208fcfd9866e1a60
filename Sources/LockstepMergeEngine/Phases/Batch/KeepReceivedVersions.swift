import Foundation
import GRDB
import LockstepTables

/// Keeps versions as the server has written them, if the store would write them in another way (Rules.md, C4).
///
/// After ``WriteRows``: it is known which records were merged. One that was deleted locally has its version for the
/// delete.
struct KeepReceivedVersions: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        let (staging, database) = (state.transaction.staging, state.transaction.database)
        guard !staging.versions.isEmpty else { return }
        let hasRows = try ReceivedVersionTable.hasRows(database)
        let writer = RecordJSONWriter(database)
        for version in staging.versions {
            let table = staging.tables[version.table]
            guard table.origins[version.row].isDeletedLocally || !staging.isSkipped(version.row, of: version.table)
            else { continue }
            let (plan, key) = (table.entity.plan, table.key(of: version.row))
            guard let column = plan.versionColumn else { continue }
            let value = table.row(version.row)[column].databaseValue
            let written = try writer.json(of: value, column: column, plan: plan)
            if value.isNull || written == (try? JSONValue(json: Data(version.json))) {
                if hasRows { try ReceivedVersionTable.forget(key, in: plan, database: database) }
            } else {
                // The store has its former value if both are the same in the schema's format.
                let base = try state.local == nil ? nil : OutboxWriter(database, plan: plan).base(of: key)
                let row = try base ?? database.valueRows(plan.findSQL, with: key.values).first
                let received = String(decoding: version.json, as: UTF8.self)
                try ReceivedVersionTable.keep(
                    received, of: row?[column] ?? value, key: key, in: plan, database: database)
            }
        }
    }
}
