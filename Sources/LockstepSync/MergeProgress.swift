/// How far a merge is.
///
/// It is told every few thousand records or megabytes, and grows: from one report to the next, no number gets smaller.
public struct MergeProgress: Hashable, Sendable {
    /// How many bytes of the payload were read.
    public var bytesRead: Int
    /// How many bytes it has.
    public var bytesTotal: Int
    /// How many records were read, without those nested in them.
    public var recordsRead: Int
    /// Whether the merge is done: what it wrote is in the store. Only the last report says so.
    public var isComplete: Bool

    /// Creates a report.
    public init(bytesRead: Int, bytesTotal: Int, recordsRead: Int, isComplete: Bool = false) {
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
        self.recordsRead = recordsRead
        self.isComplete = isComplete
    }
}
