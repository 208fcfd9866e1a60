import LockstepTables

/// Finds the records that the scope names (Rules.md, M8).
///
/// Before a record is read: records get from the scope what they lack.
struct ResolveScope: MergePhase {
    let conditions: [ScopeCondition]

    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        let (plan, root) = (transaction.plan, transaction.root)
        var resolver = ScopeResolver(plans: plan.schema, database: transaction.database)
        resolver.reservedKey = { entity, remote in
            let cell = Cell(remote, arena: transaction.arena)
            return try transaction.identities.key(of: cell, in: plan.entities[entity], isLinked: true).databaseValue
        }
        let scope = try resolver.resolve(
            conditions, of: root.index, completeness: transaction.options.completeness)
        state.scope = scope
        state.fill = scope.fills.sorted { $0.key < $1.key }.map { column, value in
            let relationship = root.relationships.firstIndex { $0.foreignKey?.contains(column) ?? false }
            return (column, Cell(value, arena: transaction.arena), relationship)
        }
    }
}
