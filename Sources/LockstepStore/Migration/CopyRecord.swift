import Foundation
import GRDB

/// The copy of a file from before a migration, which is kept until the store was opened on two later days.
enum CopyRecord {
    static let key = "copy"
    /// On how many days after the migration the store must have been opened.
    private static let dayLimit = 2

    static func keep(_ name: String, _ database: Database) throws { try MetadataTable.set(key, to: name, database) }

    /// Records that the store was opened.
    ///
    /// - Returns: The name of a copy that is not needed any more.
    static func didOpen(at date: Date, _ database: Database) throws -> String? {
        guard let text = try MetadataTable.value(key, database) else { return nil }
        var parts = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let day = String(Int((date.timeIntervalSince1970 / 86_400).rounded(.down)))
        guard !parts.dropFirst().contains(day) else { return nil }
        parts.append(day)
        // The first is the day of the migration.
        guard parts.count >= dayLimit + 2 else {
            try MetadataTable.set(key, to: parts.joined(separator: "\t"), database)
            return nil
        }
        try MetadataTable.delete([key], database)
        return parts[0]
    }

    static func exists(_ database: Database) throws -> Bool { try MetadataTable.value(key, database) != nil }
}
