import LockstepStore

/// Stores the spellings of UUIDs in identities that differ from those that the schema writes (Rules.md, M5).
///
/// After ``WriteRows``: the spelling of a link counts only as long as its record is not in the store.
struct NoteSpellings: BatchPhase {
    func run(_ batch: MergeBatch, _ state: MergeState) throws {
        let plan = state.transaction.plan
        let received = plan.spellings
        if received.isEmpty { return }
        for entity in plan.entities {
            let (records, links) = (received.records[entity.index], received.links[entity.index])
            if records == nil, links == nil { continue }
            let statements = try IdentitySpellings.Statements(entity.plan, state.transaction.database)
            for (identity, spelling) in records ?? [:] { try statements.note(spelling, of: identity) }
            for (identity, spelling) in links ?? [:]
            where records?[identity] == nil && spelling != entity.plan.spelled(identity) {
                try statements.noteLink(spelling, to: identity)
                received.leaveOpen(spelling, to: identity, entity.index)
            }
        }
        received.removeAll()
    }
}
