import GRDB
import LockstepStore

/// Clears links to records that were written before it was known that their destinations are kept aside.
struct LateLinks {
    let plan: CopyPlan
    let keys: RowKeys
    let writer: RecordWriter
    let recorder: CopyRecorder

    func clear() throws {
        for destination in plan.entities {
            for (number, key) in (keys.keptAside[destination.number] ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let key, try !exists(key, destination.plan) else { continue }
                try clear(destination, number, key)
            }
        }
    }

    /// Whether another row has become the record with this key.
    private func exists(_ key: RecordKey, _ plan: EntityPlan) throws -> Bool {
        try !writer.database.valueRows(plan.findSQL, key.values).isEmpty
    }

    private func clear(_ destination: CopiedEntity, _ number: Int64, _ key: RecordKey) throws {
        for entity in plan.entities {
            for link in entity.links {
                guard let target = link.targets[destination.number], !target.columns.isEmpty, !target.isRequired
                else { continue }
                try clear(link.name, target, of: entity, destination.text(of: number), key)
            }
        }
    }

    private func clear(
        _ member: String, _ target: CopiedLink.Target, of entity: CopiedEntity, _ other: String, _ key: RecordKey
    ) throws {
        let columns = entity.plan.columns
        let condition = target.columns.map { "\(SQLName.quoted(columns[$0].name)) = ?" }.joined(separator: " AND ")
        let keys = entity.plan.keyColumns.map { SQLName.quoted(columns[$0].name) }.joined(separator: ", ")
        let table = SQLName.quoted(entity.plan.table)
        let rows = try writer.database.valueRows("SELECT \(keys) FROM \(table) WHERE \(condition)", key.values)
        guard !rows.isEmpty else { return }
        let cleared = target.columns + (target.position.map { [$0] } ?? [])
        for row in rows {
            try writer.write(
                entity.plan.updateSQL(cleared), cleared.map { _ in .null } + row, .update, in: entity.plan.table,
                isUnsent: false)
            try recorder.keepLink(entity, RecordKey(row).text, member, to: other, "its destination was kept aside")
        }
    }
}
