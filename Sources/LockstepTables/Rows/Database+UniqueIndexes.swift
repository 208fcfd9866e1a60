package import GRDB

extension Database {
    /// The columns of each unique index of an entity's table, except for the key's and for those with expressions.
    package func uniqueIndexes(of plan: EntityPlan) throws -> [[Int]] {
        try indexes(on: SQLName.forGRDB(plan.table)).filter(\.isUnique).compactMap { index in
            let columns = index.columns.compactMap { name in plan.columns.firstIndex { $0.name == name } }
            guard columns.count == index.columns.count, Set(columns) != Set(plan.keyColumns) else { return nil }
            return columns
        }
    }
}
