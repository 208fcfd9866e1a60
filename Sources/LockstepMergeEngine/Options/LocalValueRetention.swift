import Foundation

/// For how long a store keeps the values that only this device has, of records that merges have deleted (Rules.md, M7).
///
/// It is the store's, because a sync merges by itself, too: what it is told about a change can delete a record, and any
/// merge deletes what was kept for too long.
package struct LocalValueRetention: Sendable {
    /// A fault of a server is usually noticed and repaired within days; a month also covers an app that is rarely used.
    static let defaultDays = 30

    private static let secondsPerDay: TimeInterval = 86_400

    package let days: Int

    package init(days: Int = Self.defaultDays) { self.days = max(0, days) }

    var seconds: TimeInterval { Double(days) * Self.secondsPerDay }
}
