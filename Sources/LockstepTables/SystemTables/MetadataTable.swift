package import GRDB
import LockstepEvolution

/// The metadata of a store, as pairs of texts.
package enum MetadataTable {
    private static let name = StoreTables.metadata

    /// The value of a key; `nil` if there is none.
    package static func value(_ key: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT CAST(value AS TEXT) FROM \(name) WHERE key = ?"), arguments: [key])
    }

    /// Returns the fingerprint of the file's schema; `nil` if the table has no such row.
    package static func fingerprint(_ database: Database) throws -> String? { try value("fingerprint", in: database) }

    /// Sets the value of a key.
    package static func set(_ key: String, to value: String, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO \(name) (key, value) VALUES (?, ?)")
            .execute(arguments: [key, value])
    }

    /// Deletes keys with their values.
    package static func delete(_ keys: [String], in database: Database) throws {
        let marks = keys.map { _ in "?" }.joined(separator: ", ")
        try database.change("DELETE FROM \(name) WHERE key IN (\(marks))", with: keys.map(\.databaseValue))
    }

    /// All keys and values. In a damaged file, values that are not text are read as text.
    package static func all(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT CAST(key AS TEXT), CAST(value AS TEXT) FROM \(name)")
        return Dictionary(
            rows.map { ($0[0] as String? ?? "", $0[1] as String? ?? "") }, uniquingKeysWith: { $1 })
    }

    package static func exists(_ database: Database) throws -> Bool { try database.tableExists(name) }

    package static func make(_ database: Database) throws {
        try database.execute(sql: "CREATE TABLE \(name) (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
    }
}
