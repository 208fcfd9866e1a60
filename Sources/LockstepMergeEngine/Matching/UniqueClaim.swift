import GRDB
import LockstepTables

/// A unique value, or a unique combination of values of several columns.
struct UniqueClaim: Hashable {
    /// The columns of an index.
    let columns: [Int]
    let values: [DatabaseValue]

    static func == (left: UniqueClaim, right: UniqueClaim) -> Bool {
        left.columns == right.columns && left.values.isIdentical(to: right.values)
    }

    /// The values that a staged row needs; columns that the payload lacks keep their values.
    init(_ columns: [Int], of row: Int, merge: TableMerge) throws {
        let cells = merge.table.row(row)
        self.columns = columns
        if columns.allSatisfy({ cells[$0].kind != .absent }) {
            values = columns.map { cells[$0].databaseValue }
        } else {
            let stored = try Self.stored(columns, key: merge.table.key(row), of: merge.entity, in: merge.transaction)
            values = columns.enumerated().map { index, column in
                cells[column].kind == .absent ? stored?[index] ?? .null : cells[column].databaseValue
            }
        }
    }

    /// The values of a stored record, with some of them replaced; `nil` if the store does not have it.
    init?(
        storedIn columns: [Int], key: [Cell], entity: MergeEntity, in transaction: MergeTransaction,
        but replaced: [Int: Cell] = [:]
    ) throws {
        guard let stored = try Self.stored(columns, key: key, of: entity, in: transaction) else { return nil }
        self.columns = columns
        values = zip(columns, stored).map { replaced[$0]?.databaseValue ?? $1 }
    }

    private static func stored(
        _ columns: [Int], key: [Cell], of entity: MergeEntity, in transaction: MergeTransaction
    ) throws -> [DatabaseValue]? {
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step() ? columns.map { find.cell($0).databaseValue } : nil
    }

    /// The key of the record that has the values. Its texts are in the arena of the staging.
    func holder(of entity: MergeEntity, in transaction: MergeTransaction) throws -> [Cell]? {
        let plan = entity.plan
        let names = { (columns: [Int]) in columns.map { plan.columns[$0].name } }
        let arena = transaction.staging.arena
        let statement = try RawStatement(
            """
            SELECT \(names(plan.keyColumns).map(SQLName.quoted).joined(separator: ", ")) \
            FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names(columns)))
            """, in: transaction.database)
        statement.bind(values.map { Cell($0, arena: arena) })
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return plan.keyColumns.indices.map { statement.cell($0).copied(to: arena) }
    }
}
