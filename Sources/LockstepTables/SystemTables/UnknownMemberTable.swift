package import GRDB

/// The entities of whose embedded records the server may have members that the store does not have, because the schema
/// does not know them or did not know them at the last pull (Rules.md, V11).
///
/// The members are not stored: they are requested before such records are written whole.
package enum UnknownMemberTable {
    private static let table = "lockstep_unknown_member"

    /// Names are not unique: two entities may have had one name in turn, and a migration renames them.
    static let statements = ["CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL)"]

    static func exists(_ database: Database) throws -> Bool { try database.hasTable(table) }

    /// Whether there are any.
    package static func hasRows(_ database: Database) throws -> Bool { try database.hasRows(table) }

    /// Whether the server may have such members of an entity's records.
    package static func has(_ entity: String, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE entity = ?)")
        return try Bool.fetchOne(statement, arguments: [entity]) ?? false
    }

    package static func note(_ entity: String, in database: Database) throws {
        guard try exists(database), try !has(entity, in: database) else { return }
        try database.change("INSERT INTO \(table) (entity) VALUES (?)", with: [entity.databaseValue])
    }

    package static func forget(_ entity: String, in database: Database) throws {
        try database.change("DELETE FROM \(table) WHERE entity = ?", with: [entity.databaseValue])
    }
}
