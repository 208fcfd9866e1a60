import LockstepTables

/// Schedules the delete of records that were replaced by others, if `unlisted:` says so and nothing refers to them any
/// more (Rules.md, R4), except for those that the server never had (M7).
///
/// After ``UnlinkMovedChildren``, which removes links; before ``DeleteUnlisted``, which deletes what is scheduled.
struct DeleteOrphans: MergePhase {
    func run(_ state: MergeState) throws {
        let options = state.transaction.options
        // A later piece may have it.
        guard options.nested.contains(.delete), !options.isPiece else { return }
        for target in state.replacedTargets.targets where try !isPointedAt(target, in: state.transaction) {
            let entity = state.transaction.plan.entities[target.relationship.destination]
            guard try state.transaction.statements(of: entity).hasRecord(target.key) else { continue }
            if try !state.isOnlyLocal(target.key, of: entity) { state.scheduleDelete(target.key, of: entity) }
        }
    }

    private func isPointedAt(_ target: ReplacedTargets.Target, in transaction: MergeTransaction) throws -> Bool {
        let plan = target.owner.plan
        let names = (target.relationship.foreignKey ?? []).map { plan.columns[$0].name }
        let statement = try RawStatement(
            "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names)) LIMIT 1",
            in: transaction.database)
        statement.bind(target.key)
        return try statement.step()
    }
}
