package import Foundation
import GRDB

/// Since when the copy of a file from before a migration is kept: the day of the migration and those on which the store
/// was opened since. The copy's name is not stored: ``MigrationCopies`` derives it (Rules.md, F1).
///
/// Files of earlier versions of the library have a name before the days, which is not read.
package enum CopyRecord {
    static let key = "copy"
    /// On how many days after the migration the store must have been opened.
    private static let dayLimit = 2

    /// Records that a copy was made. The days begin when the migrated store is opened.
    package static func keep(_ database: Database) throws { try MetadataTable.set(key, to: "", in: database) }

    /// Records that the store was opened.
    ///
    /// - Returns: Whether the copy is not needed any more.
    package static func didOpen(at date: Date, in database: Database) throws -> Bool {
        guard let text = try MetadataTable.value(key, in: database) else { return false }
        var days = Set(text.split(separator: "\t").compactMap { Int($0) })
        let today = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        guard days.insert(today).inserted else { return false }
        // The first is the day of the migration.
        guard days.count > dayLimit else {
            try MetadataTable.set(key, to: days.sorted().map(String.init).joined(separator: "\t"), in: database)
            return false
        }
        try MetadataTable.delete([key], in: database)
        return true
    }

    package static func exists(_ database: Database) throws -> Bool {
        try MetadataTable.value(key, in: database) != nil
    }
}
