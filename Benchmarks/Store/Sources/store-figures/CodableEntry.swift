import Foundation
import GRDB

/// An entry as one writes it for GRDB by hand; its values are those that every contestant writes.
struct CodableEntry: Codable, FetchableRecord, PersistableRecord, Sendable {
    enum Mood: String, Codable { case sad, neutral, happy }

    enum CodingKeys: String, CodingKey {
        case identifier, title, mood, timestamp, temperature, place
        case bodyText = "body_text"
        case wordCount = "word_count"
        case authorID = "author_id"
    }

    static let databaseTableName = "entry"
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy { .lowercaseString }
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }

    var identifier: UUID
    var title: String
    var bodyText: String
    var mood: Mood
    var timestamp: Date
    var wordCount: Int
    var temperature: Double
    var place: String?
    var authorID: UUID?

    func titled(_ title: String) -> CodableEntry {
        var copy = self
        copy.title = title
        return copy
    }
}

/// Who wrote an entry, for GRDB.
struct CodableAuthor: Codable, FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "author"
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy { .lowercaseString }

    var identifier: UUID
    var name: String
}

/// An entry with its author, read in one query.
struct CodableEntryWithAuthor: Decodable, FetchableRecord {
    var entry: CodableEntry
    var author: CodableAuthor?
}

extension CodableEntry {
    static let author = belongsTo(CodableAuthor.self, using: ForeignKey(["author_id"], to: ["identifier"]))
}
