/// How far a copy is.
public struct CoreDataProgress: Sendable, Hashable {
    /// The rows that were read so far.
    public let rows: Int
    /// All rows of the file that the map names.
    public let total: Int

    /// From 0 to 1.
    public var fraction: Double { total > 0 ? min(1, Double(rows) / Double(total)) : 1 }
}
