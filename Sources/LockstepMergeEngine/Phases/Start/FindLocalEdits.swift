import LockstepTables

/// Finds what was changed locally and is not confirmed (Rules.md, C1 to C3).
struct FindLocalEdits: MergePhase {
    let policies: MergePolicies
    let functions: any ConflictFunctionCaller

    func run(_ state: MergeState) throws {
        state.local = try LocalEdits.find(state.transaction, policies: policies, functions: functions)
    }
}
