import LockstepStore

/// The result of a pull.
public struct PullSummary: Sendable {
    /// The results of merging, for each entity in the order of the pull.
    public internal(set) var merges: [MergeSummary] = []
    /// The number of requests.
    public internal(set) var requests = 0
    /// The number of “not modified” responses (304), for which nothing was merged.
    public internal(set) var notModified = 0
    /// The names of entities whose record, or whose collection, the server does not have. Nothing is deleted because of
    /// a missing collection. ``RESTRemote`` throws `notFound` instead.
    public internal(set) var absent: [String] = []
    /// Whether only what has changed was read.
    var isOfChanges = false

    /// The number of inserted records.
    public var inserted: Int { merges.reduce(0) { $0 + $1.inserted } }
    /// The number of updated records.
    public var updated: Int { merges.reduce(0) { $0 + $1.updated } }
    /// The number of deleted records.
    public var deleted: Int { merges.reduce(0) { $0 + $1.deleted } }
    /// The number of records that were equal to the server's.
    public var unchanged: Int { merges.reduce(0) { $0 + $1.unchanged } }
    /// The records that were skipped, and why.
    public var skipped: [SkippedRecord] { merges.flatMap(\.skipped) }

    mutating func add(_ other: PullSummary) {
        merges += other.merges
        requests += other.requests
        notModified += other.notModified
        absent += other.absent
    }
}

extension PullSummary: CustomStringConvertible {
    /// A line for each merge that had records or notes, and what was not merged.
    @_spi(Requirements) public var description: String {
        var lines = merges.filter { !$0.entities.isEmpty || !$0.notes.isEmpty }.map(\.description)
        if notModified > 0 { lines.append("\(notModified) not modified") }
        if !absent.isEmpty { lines.append("not on the server: \(absent.joined(separator: ", "))") }
        if lines.isEmpty { lines = [merges.isEmpty ? "nothing pulled" : "nothing to merge"] }
        return lines.joined(separator: "\n")
    }
}
