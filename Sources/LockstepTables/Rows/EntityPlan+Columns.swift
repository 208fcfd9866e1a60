import GRDB

extension EntityPlan {
    /// Throws unless a statement selects the columns of the entity, in order.
    package func checkColumns(of statement: Statement) throws {
        guard !statement.columnNames.prefix(columns.count).elementsEqual(columns.lazy.map(\.name)) else {
            return
        }
        throw StoreError(
            .wrongColumns, doing: "fetching", entity: name,
            reason: "the request selects columns other than the entity's",
            remedy: "Fetch models from requests without `select`; use GRDB's own fetches for single columns.")
    }
}
