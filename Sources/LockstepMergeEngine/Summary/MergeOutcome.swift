/// The outcome of a merge for a record.
public enum MergeOutcome: Int, Sendable, Hashable, CaseIterable {
    /// It was not in the store, and was inserted.
    case inserted
    /// It was in the store, and some of its values were changed.
    case updated
    /// It was in the store, and did not change.
    case unchanged
    /// It was in the store, and was deleted.
    case deleted
}

extension MergeOutcome: CustomStringConvertible {
    /// The name of the case: `inserted`.
    @_spi(Requirements) public var description: String {
        switch self {
        case .inserted: "inserted"
        case .updated: "updated"
        case .unchanged: "unchanged"
        case .deleted: "deleted"
        }
    }
}
