import Foundation
import GRDB

/// What SQLite merges by itself: one statement reads the JSON and writes the table.
struct JSONEachMerge {
    let pool: DatabasePool

    /// Converts what the table has otherwise than the JSON: dates to seconds, Bools to numbers (`->>` does it), UUIDs
    /// to lower case. Rows that already have the values are not written. SQLite's manual asks for `WHERE true` where an
    /// upsert reads from a SELECT, since `ON` could also begin the condition of a join.
    private static let sql = """
        INSERT INTO article
            (identifier, title, body_text, mood, created_at, word_count, temperature, is_favourite)
        SELECT
            lower(value ->> 'identifier'), value ->> 'title', value ->> 'body_text', value ->> 'mood',
            unixepoch(value ->> 'created_at'), value ->> 'word_count', value ->> 'temperature',
            value ->> 'is_favourite'
        FROM json_each(?)
        WHERE true
        ON CONFLICT (identifier) DO UPDATE SET
            title = excluded.title, body_text = excluded.body_text, mood = excluded.mood,
            created_at = excluded.created_at, word_count = excluded.word_count, temperature = excluded.temperature,
            is_favourite = excluded.is_favourite
        WHERE (title, body_text, mood, created_at, word_count, temperature, is_favourite) IS NOT
            (excluded.title, excluded.body_text, excluded.mood, excluded.created_at, excluded.word_count,
            excluded.temperature, excluded.is_favourite)
        """

    /// As much memory for pages as a merge uses, and the floor.
    private static let pages = "PRAGMA cache_size = -16384"

    /// - Returns: How many rows were inserted or updated.
    func upsert(_ json: Data) throws -> Int {
        let text = String(decoding: json, as: UTF8.self)
        return try pool.write { database in
            try database.cachedStatement(sql: Self.pages).execute()
            try database.cachedStatement(sql: Self.sql).execute(arguments: [text])
            return database.changesCount
        }
    }
}
