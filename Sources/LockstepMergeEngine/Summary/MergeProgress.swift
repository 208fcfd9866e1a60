/// The progress of a merge.
///
/// It is reported every few thousand records or megabytes. The numbers never decrease from one report to the next.
public struct MergeProgress: Sendable, Hashable {
    /// The current stage.
    public let stage: Stage
    /// The number of bytes of the payload that were read.
    public let bytesRead: Int
    /// The size of the payload in bytes; `nil` if it is unknown, such as for a body that is received in pieces.
    public let byteCount: Int?
    /// The number of records of the payload's list that were read.
    public let recordsRead: Int
    /// The number of these records that were merged.
    public let recordsMerged: Int

    /// The stages of a merge, in order.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The payload is being read.
        case reading
        /// Records are being inserted, updated and linked.
        case merging
        /// Records that the payload no longer lists are being deleted.
        case deleting
        /// The merge is complete and committed. Only the last report has this stage; a merge that fails or is canceled
        /// has none.
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
    /// The fraction of the payload that was read, from 0 to 1; `nil` if its size is unknown.
    public var fractionRead: Double? {
        guard let byteCount else { return nil }
        return byteCount == 0 ? 1 : Double(bytesRead) / Double(byteCount)
    }
}

extension MergeProgress: CustomStringConvertible {
    /// `merging: 2500 of 10000 bytes and 20 records read, 10 merged`
    @_spi(Requirements) public var description: String {
        let total = byteCount.map { " of \($0)" } ?? ""
        return "\(stage): \(bytesRead)\(total) bytes and \(recordsRead) records read, \(recordsMerged) merged"
    }
}
