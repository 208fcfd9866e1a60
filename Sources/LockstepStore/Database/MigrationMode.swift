/// The treatment of a file of an earlier version of the schema when a store is opened.
public enum MigrationMode: Sendable, Hashable {
    /// Migrates it, however long that takes.
    case automatic
    /// Migrates it if that takes milliseconds, whatever the number of rows; otherwise, throws
    /// `StoreError.Code.migrationNeeded`. For the main thread at launch.
    case ifInstant
    /// Never migrates it, and throws `StoreError.Code.migrationNeeded`. For extensions and widgets.
    case never
}

/// The result of migrating a store's file. Its description is one line for logs.
///
/// ```swift
/// print(store.migration ?? "")  // Journal 1 → 3: 2 renamed, 1 removed; 1204 rows written, 3 pending kept; 18 ms
/// ```
public struct StoreMigration: Sendable, Hashable {
    /// The name of the schema.
    public let schema: String
    /// The version of the schema that the file had.
    public let from: Int
    /// The version that it has now.
    public let to: Int
    /// The numbers of entities, attributes and relationships that were added, renamed, changed and removed.
    public let added: Int
    public let renamed: Int
    public let changed: Int
    public let removed: Int
    /// The number of rows that were written.
    public let rowsWritten: Int
    /// The number of pending changes after the migration.
    public let pendingCount: Int
    /// The number of changes that are no longer pending, because a conversion made the record equal to the server's
    /// values, or because the changed members were removed.
    public let settledCount: Int
    /// The number of leftovers in the store: ``Store/leftovers()``.
    public let leftoverCount: Int
    /// How long it took, in seconds.
    public let seconds: Double
    /// The name of the copy of the former file, which is in the same folder, if the migration removed or converted
    /// values.
    public let copy: String?
}

extension StoreMigration: CustomStringConvertible {
    @_spi(Requirements) public var description: String {
        let counts = [(added, "added"), (renamed, "renamed"), (changed, "changed"), (removed, "removed")]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var rows = ["\(rowsWritten) rows written", "\(pendingCount) pending kept"]
        if settledCount > 0 { rows.append("\(settledCount) settled") }
        if leftoverCount > 0 { rows.append("\(leftoverCount) leftovers") }
        let changes = parts.isEmpty ? "nothing stored differs" : parts.joined(separator: ", ")
        return "\(schema) \(from) → \(to): \(changes); \(rows.joined(separator: ", ")); \(Int(seconds * 1000)) ms"
    }
}
