public import LockstepStore

extension Store {
    /// For how many days the values of attributes that are not sent (`wire: none`) are kept if a merge deletes their
    /// record because the server no longer has it (Rules.md, M7). The default is 30.
    ///
    /// If a merge inserts the record again within this time, it has them again. Each merge deletes those that were kept
    /// for longer, so set this before the first merge, right after the store was opened. 0 keeps none.
    ///
    /// ```swift
    /// let store = try Store(JournalSchema.self, at: .file(url))
    /// store.localValueRetentionDays = 90
    /// ```
    public var localValueRetentionDays: Int {
        get { localValueRetention.days }
        set { updateExtension(LocalValueRetention.self) { $0 = LocalValueRetention(days: newValue) } }
    }

    var localValueRetention: LocalValueRetention { storeExtension(LocalValueRetention.self) ?? LocalValueRetention() }
}
