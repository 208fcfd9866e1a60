package import GRDB

/// The memory that SQLite keeps pages of the file in, larger while many records are looked up or written whose keys
/// come in no order.
///
/// Each of them meets another page of each index then. With the usual 2 MB, that page has to be read, and the one
/// that it displaces to be written, for nearly every record.
package final class PageCache {
    private let database: Database
    /// What it was before; `nil` as long as it is not larger.
    private var usual: Int?

    /// In kB. The index of 100,000 UUIDs takes 5 MB.
    private static let large = 16 * 1024
    /// Fewer records than this meet few pages.
    private static let fewest = 1_000

    package init(_ database: Database) { self.database = database }

    /// Makes it larger for so many records, where that helps.
    package func enlarge(for count: Int) throws {
        guard usual == nil, count >= Self.fewest else { return }
        usual = try Int.fetchOne(database, sql: "PRAGMA cache_size")
        try database.execute(sql: "PRAGMA cache_size = -\(Self.large)")
    }

    /// Gives the memory back; what is not written yet stays until it is.
    package func restore() throws {
        guard let usual else { return }
        try database.execute(sql: "PRAGMA cache_size = \(usual)")
        self.usual = nil
    }
}
