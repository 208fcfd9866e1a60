public import LockstepMergeEngine
public import LockstepStore

extension Store {
    /// How many entries the journal of conflicts keeps, and for how long (rule C6): by default 10,000 and 30 days.
    ///
    /// It applies from the next merge that writes an entry. `ConflictRetention(days: 0)` writes none.
    public var conflictRetention: ConflictRetention {
        get { storeExtension(ConflictRetention.self) ?? ConflictRetention() }
        set { updateExtension(ConflictRetention.self) { $0 = newValue } }
    }
}
