/// Adopts or renames the local records that earlier attempts of the merge found in the way of the server's
/// (Rules.md, C5).
///
/// Before local edits are looked for, since it changes what is pending.
struct ApplyDuplicateResolutions: MergePhase {
    func run(_ state: MergeState) throws { try LocalDuplicates(state).applyResolutions() }
}
