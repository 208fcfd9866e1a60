import Foundation
public import LockstepStore

/// For how long a store keeps the values that only this device has, of records that merges have deleted (Rules.md, M7).
///
/// It is the store's, because a sync merges by itself, too: what it is told about a change can delete a record, and any
/// merge deletes what was kept for too long.
struct LocalValueRetention: Sendable {
    /// A fault of a server is usually noticed and repaired within days; a month also covers an app that is rarely used.
    static let defaultDays = 30

    private static let secondsPerDay: TimeInterval = 86_400

    let days: Int

    init(days: Int = Self.defaultDays) { self.days = max(0, days) }

    var seconds: TimeInterval { Double(days) * Self.secondsPerDay }
}

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
