/// Deletes the records that the function of a conflict policy wants deleted (Rules.md, C1). The deletes are sent.
///
/// Before ``DeleteUnlisted``, so that what they cascade to is deleted once; before ``AssignDeferredUniqueValues``,
/// since they make values available.
struct DeleteByPolicy: MergePhase {
    func run(_ state: MergeState) throws { try state.local?.deleteUnwanted() }
}
