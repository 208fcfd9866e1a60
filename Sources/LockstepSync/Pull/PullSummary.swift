import LockstepStore

/// What a pull did.
public struct PullSummary: Sendable {
    /// What came of merging, entity by entity in the order of the pull.
    public internal(set) var merges: [MergeSummary] = []
    /// How many requests were made.
    public internal(set) var requests = 0
    /// How many answers said that nothing has changed (304): nothing was merged for them.
    public internal(set) var notModified = 0
    /// The entities whose collection the server does not have (404, 410), by name. Nothing is deleted because of it.
    public internal(set) var absent: [String] = []

    /// The records that were inserted.
    public var inserted: Int { merges.reduce(0) { $0 + $1.inserted } }
    /// The records that were updated.
    public var updated: Int { merges.reduce(0) { $0 + $1.updated } }
    /// The records that were deleted.
    public var deleted: Int { merges.reduce(0) { $0 + $1.deleted } }
    /// The records that were as the server has them.
    public var unchanged: Int { merges.reduce(0) { $0 + $1.unchanged } }
    /// The records that were left out, and why.
    public var skipped: [SkippedRecord] { merges.flatMap(\.skipped) }

    mutating func add(_ other: PullSummary) {
        merges += other.merges
        requests += other.requests
        notModified += other.notModified
        absent += other.absent
    }
}

extension PullSummary: CustomStringConvertible {
    /// A line for each merge, and what was not merged.
    public var description: String {
        var lines = merges.map(\.description).filter { !$0.isEmpty }
        if notModified > 0 { lines.append("\(notModified) not modified") }
        if !absent.isEmpty { lines.append("not on the server: \(absent.joined(separator: ", "))") }
        return lines.isEmpty ? "nothing pulled" : lines.joined(separator: "\n")
    }
}
