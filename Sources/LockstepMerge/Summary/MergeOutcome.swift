/// What a merge did with a record.
public enum MergeOutcome: Int, Sendable, Hashable, CaseIterable {
    /// It was not here, and is now.
    case inserted
    /// It was here, and something of it was changed.
    case updated
    /// It was here, and is as it was.
    case unchanged
    /// It was here, and is no more.
    case deleted
}

extension MergeOutcome: CustomStringConvertible {
    /// The name of the case: `inserted`.
    public var description: String {
        switch self {
        case .inserted: "inserted"
        case .updated: "updated"
        case .unchanged: "unchanged"
        case .deleted: "deleted"
        }
    }
}
