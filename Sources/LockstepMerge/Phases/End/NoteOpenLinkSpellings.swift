import LockstepStore

/// Stores the spellings of links to records that the merge has deleted (Rules.md, M5, M15): the next merge of the same
/// payload must find nothing to write.
///
/// After the phases that delete records.
struct NoteOpenLinkSpellings: MergePhase {
    func run(_ state: MergeState) throws {
        let plan = state.transaction.plan
        for (entity, links) in plan.spellings.openLinks {
            let statements = try IdentitySpellings.Statements(plan.entities[entity].plan, state.transaction.database)
            for (identity, spelling) in links { try statements.noteLink(spelling, to: identity) }
        }
    }
}
