import GRDB
import LockstepTables

/// Writes embedded records without an identity: they belong to their owner, and are replaced with it (Rules.md, R6).
///
/// If all of them are unchanged and in the same order, nothing is written.
final class OwnedRecords {
    private let state: MergeState
    private let transaction: MergeTransaction

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
    }

    func write(_ members: [LinkMember], of owner: LinkOwner, for relationship: MergeRelationship) throws {
        let entity = transaction.plan.entities[relationship.destination]
        guard entity.hooks?.replace == nil else { return }  // the app has written them, or not
        let table = transaction.staging.tables[relationship.destination]
        guard let inverse = relationship.inverse, let columns = entity.relationships[inverse].foreignKey else { return }
        var rows: [Int] = []
        for member in members where !member.isSkipped {
            if try complete(member.row, in: table) { rows.append(member.row) }
        }
        let stored = try storedKeys(of: owner.key, columns: columns, entity: entity)
        // A to-one keeps its record if the embedded one is invalid.
        let isLeft = !relationship.isToMany && rows.isEmpty && !members.isEmpty
        let isSame = try isSame(rows, stored: stored, in: table)
        state.local?.recordList(of: owner, for: relationship, isSame: isSame)
        guard !isLeft, mayReplace(stored, by: rows), !isSame else { return recordUnchanged(stored, of: entity) }
        let isKept = try isChangedLocally(owner)
        try state.local?.noteConflict(of: owner, for: relationship, what: "list", isKept: isKept)
        if isKept { return recordUnchanged(stored, of: entity) }
        for key in stored { try transaction.delete([key], of: entity) }
        for row in rows { try insert(row, in: table) }
        state.local?.recordList(of: owner, for: relationship, isSame: true)
    }

    /// Whether the owner was changed locally: that includes the records that belong to it.
    private func isChangedLocally(_ owner: LinkOwner) throws -> Bool {
        guard let local = state.local else { return false }
        return try local.keepsEmbedded(in: owner)
    }

    /// Whether the options for nested records allow replacing the list (Rules.md, M9).
    private func mayReplace(_ stored: [Cell], by rows: [Int]) -> Bool {
        let operations = transaction.options.nested
        if stored.isEmpty { return operations.contains(.insert) }
        return operations.contains(rows.isEmpty ? .delete : .update)
    }

    /// Gives a row the defaults of the columns that the payload lacks, except for defaults that differ for each record:
    /// an absent column counts as unchanged.
    private func complete(_ row: Int, in table: StagedTable) throws -> Bool {
        let cells = table.row(row)
        for column in 1..<table.width where cells[column].kind == .absent {
            if table.entity.defaults[column]?.isVolatile ?? false { continue }
            if let cell = transaction.defaultCell(table.entity, column: column) {
                cells[column] = cell
            } else {
                try transaction.skip(row, of: table.entity, column: column, reason: "is required; it is missing")
                return false
            }
        }
        return true
    }

    private func storedKeys(of owner: [Cell], columns: [Int], entity: MergeEntity) throws -> [Cell] {
        let plan = entity.plan
        let names = { (column: Int) in SQLName.quoted(plan.columns[column].name) }
        let condition = columns.map { "\(names($0)) = ?" }.joined(separator: " AND ")
        // Keys are assigned in ascending order.
        let statement = try RawStatement(
            "SELECT \(names(0)) FROM \(SQLName.quoted(plan.table)) WHERE \(condition) ORDER BY \(names(0))",
            in: transaction.database)
        statement.bind(owner)
        var keys: [Cell] = []
        while try statement.step() { keys.append(statement.cell(0)) }
        return keys
    }

    private func isSame(_ rows: [Int], stored: [Cell], in table: StagedTable) throws -> Bool {
        guard rows.count == stored.count else { return false }
        let find = try transaction.statements(of: table.entity).find.get()
        for (row, key) in zip(rows, stored) {
            find.bind([key])
            defer { find.reset() }
            guard try find.step() else { return false }
            let cells = table.row(row)
            for column in 1..<table.width where cells[column].kind != .absent {
                if !table.entity.isStored(cells[column], in: find, column: column) { return false }
            }
        }
        return true
    }

    private func recordUnchanged(_ stored: [Cell], of entity: MergeEntity) {
        for key in stored {
            transaction.record(.unchanged, of: entity, fingerprint: key.fingerprint, key: RecordKey(key.integer))
        }
    }

    private func insert(_ row: Int, in table: StagedTable) throws {
        let cells = table.row(row)
        cells[0] = Cell(integer: SurrogateKeys.next())
        for column in 1..<table.width where cells[column].kind == .absent {
            cells[column] = transaction.defaultCell(table.entity, column: column) ?? .null
        }
        let statement = try transaction.statements(of: table.entity).insert.get()
        for column in 0..<table.width { cells[column].bind(to: statement.pointer, parameter: Int32(column + 1)) }
        try transaction.changes.note(.insert, in: table.entity.plan.table, database: transaction.database)
        do {
            try statement.run()
            transaction.record(
                .inserted, of: table.entity, fingerprint: cells[0].fingerprint, key: RecordKey(cells[0].integer))
        } catch let error as DatabaseError {
            guard error.resultCode == .SQLITE_CONSTRAINT else { throw error }
            let problem = StoreError(
                error, doing: "merging", plan: table.entity.plan, record: RecordKey(cells[0].integer))
            try transaction.skip(
                row, of: table.entity, column: problem.columns(of: table.entity.plan).first, reason: problem.reason)
        }
    }
}
