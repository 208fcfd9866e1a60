import GRDB
import LockstepStore

/// A value that one record can have, or values of several columns together.
struct UniqueClaim: Hashable {
    /// Those of an index.
    let columns: [Int]
    let values: [DatabaseValue]

    /// What a staged row wants; what the payload does not say stays as it is.
    init(_ columns: [Int], of row: Int, _ merge: TableMerge) throws {
        let cells = merge.table.row(row)
        self.columns = columns
        if columns.allSatisfy({ cells[$0].kind != .absent }) {
            values = columns.map { cells[$0].databaseValue }
        } else {
            let stored = try Self.stored(columns, merge.table.key(row), merge.entity, merge.transaction)
            values = columns.enumerated().map { place, column in
                cells[column].kind == .absent ? stored?[place] ?? .null : cells[column].databaseValue
            }
        }
    }

    /// What a record of the store has, some of it replaced; `nil` where it is not there.
    init?(
        storedIn columns: [Int], _ key: [Cell], _ entity: MergeEntity, _ transaction: MergeTransaction,
        but replaced: [Int: Cell] = [:]
    ) throws {
        guard let stored = try Self.stored(columns, key, entity, transaction) else { return nil }
        self.columns = columns
        values = zip(columns, stored).map { replaced[$0]?.databaseValue ?? $1 }
    }

    private static func stored(
        _ columns: [Int], _ key: [Cell], _ entity: MergeEntity, _ transaction: MergeTransaction
    ) throws -> [DatabaseValue]? {
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step() ? columns.map { find.cell($0).databaseValue } : nil
    }

    /// The key of the record that has the values now; its texts are in the staging's arena.
    func holder(of entity: MergeEntity, _ transaction: MergeTransaction) throws -> [Cell]? {
        let plan = entity.plan
        let names = { (columns: [Int]) in columns.map { plan.columns[$0].name } }
        let arena = transaction.staging.arena
        let statement = try RawStatement(
            """
            SELECT \(names(plan.keyColumns).map(SQLName.quoted).joined(separator: ", ")) \
            FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names(columns)))
            """, transaction.database)
        statement.bind(values.map { Cell($0, arena: arena) })
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return plan.keyColumns.indices.map { statement.cell($0).copied(to: arena) }
    }
}
