import Foundation
import GRDB

/// An article as one writes it by hand, for JSON and for GRDB at once.
struct CodableArticle: Codable, Equatable, FetchableRecord, PersistableRecord, Sendable {
    enum Mood: String, Codable { case sad, neutral, happy }

    enum CodingKeys: String, CodingKey {
        case identifier, title, mood, temperature
        case bodyText = "body_text"
        case createdAt = "created_at"
        case wordCount = "word_count"
        case isFavourite = "is_favourite"
    }

    static let databaseTableName = "article"
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
    var createdAt: Date
    var wordCount: Int
    var temperature: Double
    var isFavourite: Bool
}

/// The ways that GRDB's users merge today.
struct CodableMerge {
    let pool: DatabasePool

    private static func decode(_ json: Data) throws -> [CodableArticle] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode([CodableArticle].self, from: json)
    }

    /// Everything decoded, then each written, whatever is there.
    func upsert(_ json: Data) throws {
        let articles = try Self.decode(json)
        try pool.write { database in for article in articles { try article.upsert(database) } }
    }

    /// The loop of the tutorials: each looked up by its identifier, compared, and updated or inserted.
    ///
    /// - Returns: How many were found.
    @discardableResult
    func fetchOneByOne(_ json: Data) throws -> Int {
        let articles = try Self.decode(json)
        return try pool.write { database in
            var found = 0
            for article in articles {
                let key = article.identifier.uuidString.lowercased()
                guard let stored = try CodableArticle.fetchOne(database, key: key) else {
                    try article.insert(database)
                    continue
                }
                found += 1
                if stored != article { try article.update(database) }
            }
            return found
        }
    }
}
