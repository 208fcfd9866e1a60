import LockstepStore

/// Keeps which records the payload has brought, if lists may be older than it is (Rules.md, M7).
struct NoteConfirmedRecords: MergePhase {
    func run(_ state: MergeState) throws {
        guard let now = state.transaction.options.confirmedAt else { return }
        for record in state.confirmed {
            let plan = state.transaction.plan.entities[record.entity].plan
            try ConfirmedTable.note(record.key, in: plan, at: now, state.transaction.database)
        }
    }
}
