package import GRDB

/// The memory in which SQLite caches pages of the file. It is enlarged while many records with unordered keys are
/// looked up or written.
///
/// Each of these records uses another page of each index. With the usual 2 MB, SQLite has to read that page, and write
/// the evicted one, for nearly every record.
package final class PageCache {
    private let database: Database
    /// The previous size; `nil` while it is not enlarged.
    private var usual: Int?

    /// In kB. The index of 100,000 UUIDs takes 5 MB.
    private static let large = 16 * 1024
    /// Fewer records than this use few pages.
    private static let fewest = 1_000

    package init(_ database: Database) { self.database = database }

    /// Enlarges the cache for so many records if that helps.
    package func enlarge(for count: Int) throws {
        guard usual == nil, count >= Self.fewest else { return }
        usual = try Int.fetchOne(database, sql: "PRAGMA cache_size")
        try database.execute(sql: "PRAGMA cache_size = -\(Self.large)")
    }

    /// Frees the memory. Pages that are not written yet stay until they are.
    package func restore() throws {
        guard let usual else { return }
        try database.execute(sql: "PRAGMA cache_size = \(usual)")
        self.usual = nil
    }
}
