import LockstepTables

/// Stores the spellings of UUIDs in identities that differ from those that the schema writes (Rules.md, M5).
///
/// After ``WriteRows``: the spelling of a link counts only as long as its record is not in the store.
struct NoteSpellings: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        let plan = state.transaction.plan
        let received = plan.spellings
        if received.isEmpty { return }
        for entity in plan.entities {
            let records = received.records[entity.index] ?? [:]
            let links = (received.links[entity.index] ?? [:]).filter { identity, spelling in
                // A record with another spelling may be skipped, and says nothing then.
                records[identity] != spelling && spelling != entity.plan.spelled(identity)
            }
            try IdentitySpellings.noteRecords(records, of: entity.plan, in: state.transaction.database)
            try IdentitySpellings.noteLinks(links, to: entity.plan, in: state.transaction.database)
            for (identity, spelling) in links { received.leaveOpen(spelling, to: identity, of: entity.index) }
        }
        received.removeAll()
    }
}
