public import GRDB

/// An ordering by one column: `\.timestamp.desc`, for GRDB's `order` and for pages by key.
public struct AttributeOrdering: SQLOrderingTerm, Sendable {
    /// The column's name in SQL, unquoted.
    let column: String
    let isDescending: Bool
    public let sqlOrdering: SQLOrdering
}
