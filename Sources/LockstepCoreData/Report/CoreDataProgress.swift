/// The progress of a copy.
public struct CoreDataProgress: Sendable, Hashable {
    /// The number of rows read so far.
    public let rows: Int
    /// The number of all rows whose entities the map names.
    public let total: Int

    /// From 0 to 1.
    public var fraction: Double { total > 0 ? min(1, Double(rows) / Double(total)) : 1 }
}
