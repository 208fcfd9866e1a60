import Foundation

/// How many entries a store keeps in its journal of conflicts, and for how long (rule C6).
///
/// Each merge that writes an entry deletes those that are too old, and the oldest ones if there are too many.
public struct ConflictRetention: Sendable, Hashable {
    /// For how many days an entry is kept; 0 writes none.
    public var days: Int
    /// How many entries are kept; 0 writes none.
    public var count: Int

    /// A month covers an app that is rarely used, and 10,000 entries are a few megabytes.
    public init(days: Int = 30, count: Int = 10_000) { (self.days, self.count) = (max(0, days), max(0, count)) }

    var seconds: TimeInterval { Double(days) * 86_400 }
}
