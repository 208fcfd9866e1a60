import LockstepTables

/// Keeps which records the payload has brought, if lists may be older than it is (Rules.md, M7).
struct NoteConfirmedRecords: MergePhase {
    func run(_ state: MergeState) throws {
        guard let now = state.transaction.options.confirmedAt else { return }
        let entities = state.transaction.plan.entities
        let records = state.confirmed.map { (entities[$0.entity].plan, $0.key) }
        try ConfirmedTable.note(records, at: now, in: state.transaction.database)
    }
}
