import LockstepTables

/// Stores the spellings of links to records that the merge has deleted (Rules.md, M5, M15): the next merge of the same
/// payload must find nothing to write.
///
/// After the phases that delete records.
struct NoteOpenLinkSpellings: MergePhase {
    func run(_ state: MergeState) throws {
        let plan = state.transaction.plan
        for (entity, links) in plan.spellings.openLinks {
            try IdentitySpellings.noteLinks(links, to: plan.entities[entity].plan, in: state.transaction.database)
        }
    }
}
