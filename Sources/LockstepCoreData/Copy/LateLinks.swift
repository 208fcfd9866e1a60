import GRDB
import LockstepStore

/// Clears links of records that were written before it was known that their destinations are kept aside.
struct LateLinks {
    let plan: CopyPlan
    let keys: RowKeys
    let writer: RecordWriter
    let recorder: CopyRecorder

    func clear() throws {
        for entity in plan.entities {
            for link in entity.links where link.targets.contains(where: isLate) { try clear(link, of: entity) }
        }
    }

    /// Whether rows of a destination were kept aside, and links to them can have been written.
    private func isLate(_ destination: Int64, target: CopiedLink.Target) -> Bool {
        !target.columns.isEmpty && !target.isRequired && !(keys.keptAside[destination] ?? [:]).isEmpty
    }

    /// Reads all links once, because nobody knows whether the file has an index for them.
    private func clear(_ link: CopiedLink, of entity: CopiedEntity) throws {
        let column = SQLName.quoted(entity.columns[link.column])
        let statement = try plan.file.connection.statement(
            "SELECT * FROM \(SQLName.quoted(entity.table)) WHERE Z_ENT = ? AND \(column) IS NOT NULL ORDER BY Z_PK")
        statement.bind(entity.number)
        guard let numberColumn = entity.columns.firstIndex(of: "Z_PK") else { return }
        while try statement.step() {
            let row = statement.row
            guard case .int64(let number) = row.value(numberColumn).storage,
                case .int64(let other) = row.value(link.column).storage,
                let (destination, key) = try destination(of: link, number: other),
                let record = keys.key(of: row, number: number, entity: entity)
            else { continue }
            guard try clear(link, of: entity, number: number, for: record, to: destination, key: key) else { continue }
            try recorder.keepLink(
                entity, for: entity.text(of: number), member: link.name, to: destination.text(of: other),
                reason: CopyRecorder.Reason.keptAside)
        }
    }

    /// The row that a link leads to, if that was kept aside and no other row has become the record with its key.
    private func destination(of link: CopiedLink, number: Int64) throws -> (CopiedEntity, RecordKey)? {
        for (type, target) in link.targets where isLate(type, target: target) {
            guard let destination = plan.byNumber[type], let key = keys.keptAside[type]?[number] ?? nil else {
                continue
            }
            let isTaken = try !writer.database.valueRows(destination.plan.findSQL, with: key.values).isEmpty
            return isTaken ? nil : (destination, key)
        }
        return nil
    }

    /// - Returns: Whether the record had the link.
    private func clear(
        _ link: CopiedLink, of entity: CopiedEntity, number: Int64, for record: RecordKey, to destination: CopiedEntity,
        key: RecordKey
    ) throws -> Bool {
        guard let target = link.targets[destination.number] else { return false }
        let cleared = target.columns + (target.position.map { [$0] } ?? [])
        let names = target.columns.map { SQLName.quoted(entity.plan.columns[$0].name) }
        let count = try writer.write(
            entity.plan.updateSQL(cleared) + names.map { " AND \($0) = ?" }.joined(),
            values: cleared.map { _ in .null } + record.values + key.values, event: .update, in: entity.plan.table,
            isUnsent: writer.isChosen(entity, number: number))
        return count > 0
    }
}
