/// How long a migration takes.
public enum MigrationCost: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Milliseconds, whatever the number of rows: only the schema in the file changes.
    case instant
    /// All rows of a table are read, or an index is created: about a second for each million rows.
    case scan
    /// Rows of a table are written: about ten seconds for each million rows, twenty if the whole table is rebuilt.
    case rewrite

    @_spi(Requirements) public static func < (left: MigrationCost, right: MigrationCost) -> Bool {
        left.rawValue < right.rawValue
    }
}
