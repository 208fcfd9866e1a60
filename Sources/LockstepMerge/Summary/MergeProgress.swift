/// How far a merge is.
///
/// It is told every few thousand records or megabytes. From one report to the next, no number gets smaller.
public struct MergeProgress: Sendable, Hashable {
    /// What is being done.
    public let stage: Stage
    /// How many bytes of the payload were read.
    public let bytesRead: Int
    /// How many bytes the payload has; `nil` where that is not known, as of a body that arrives in pieces.
    public let byteCount: Int?
    /// How many records of the payload's list were read.
    public let recordsRead: Int
    /// How many of those were merged.
    public let recordsMerged: Int

    /// What a merge does, in this order.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The payload is read.
        case reading
        /// Records are inserted and updated, and linked.
        case merging
        /// What the payload no longer lists is deleted.
        case deleting
        /// It is done, and in the store. Only the last report says so; a merge that fails or is cancelled has none.
        case complete
    }

    init(stage: Stage, bytesRead: Int = 0, byteCount: Int? = nil, recordsRead: Int = 0, recordsMerged: Int = 0) {
        self.stage = stage
        self.bytesRead = bytesRead
        self.byteCount = byteCount
        self.recordsRead = recordsRead
        self.recordsMerged = recordsMerged
    }
}

extension MergeProgress {
    /// How much of the payload was read, from 0 to 1; `nil` where its size is not known.
    public var fractionRead: Double? {
        guard let byteCount else { return nil }
        return byteCount == 0 ? 1 : Double(bytesRead) / Double(byteCount)
    }
}

extension MergeProgress: CustomStringConvertible {
    /// `merging: 2500 of 10000 bytes and 20 records read, 10 merged`
    public var description: String {
        let total = byteCount.map { " of \($0)" } ?? ""
        return "\(stage): \(bytesRead)\(total) bytes and \(recordsRead) records read, \(recordsMerged) merged"
    }
}
