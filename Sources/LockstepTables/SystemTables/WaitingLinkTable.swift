package import GRDB
import LockstepJSON

/// The members that a server listed by identity before they were received, for relationships whose members hold the
/// foreign key (Rules.md, R3). Merges keep them until they are received.
package enum WaitingLinkTable {
    package static let name = "lockstep_waiting_link"

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(name) (relationship TEXT NOT NULL, owner NOT NULL, child NOT NULL, \
        place INTEGER NOT NULL, PRIMARY KEY (relationship, child)) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS \(name)_owner ON \(name) (relationship, owner)",
    ]

    /// How a relationship is stored.
    package static func name(of relationship: RelationshipDescription, in plan: EntityPlan) -> String {
        "\(plan.name).\(relationship.name)"
    }

    /// Whether there are any.
    package static func hasRows(_ database: Database) throws -> Bool { try database.hasRows(name) }

    /// Renames the entity of relationships, which are stored as `Tag.words`.
    ///
    /// - Returns: The number of renamed rows.
    static func rename(_ entity: String, to other: String, in database: Database) throws -> Int {
        try database.execute(
            sql: """
                UPDATE \(name) SET relationship = ?1 || substr(relationship, length(?2) + 1) \
                WHERE substr(relationship, 1, length(?2) + 1) = ?2 || '.'
                """, arguments: [other, entity])
        return database.changesCount
    }

    /// Renames a relationship.
    static func rename(_ relationship: String, toRelationship other: String, in database: Database) throws {
        guard try database.hasTable(name) else { return }
        try database.execute(
            sql: "UPDATE \(name) SET relationship = ? WHERE relationship = ?", arguments: [other, relationship])
    }

    /// Deletes the rows of a removed relationship.
    static func forget(relationship: String, in database: Database) throws {
        guard try database.hasTable(name) else { return }
        try database.execute(sql: "DELETE FROM \(name) WHERE relationship = ?", arguments: [relationship])
    }

    /// Deletes the rows of a removed entity's relationships.
    static func forget(_ entity: String, in database: Database) throws {
        guard try database.hasTable(name) else { return }
        try database.execute(
            sql: "DELETE FROM \(name) WHERE substr(relationship, 1, length(?1) + 1) = ?1 || '.'",
            arguments: [entity])
    }

    /// The key of an owner. A key of several columns is stored as a JSON array.
    package static func owner(_ stored: DatabaseValue, of plan: EntityPlan) -> RecordKey {
        guard plan.keyColumns.count > 1, let text = String.fromDatabaseValue(stored),
            case .array(let parts)? = StoredJSON.value(from: text)
        else { return RecordKey(stored) }
        return RecordKey(
            parts.map { part in
                switch part {
                case .integer(let number): number.databaseValue
                case .string(let text): text.databaseValue
                default: .null
                }
            })
    }

    /// The members that an owner waits for, with their positions, in order.
    static func rows(_ relationship: String, of owner: RecordKey, in database: Database) throws -> [[DatabaseValue]] {
        guard try database.hasTable(name) else { return [] }
        let sql = "SELECT child, place FROM \(name) WHERE relationship = ? AND owner = ? ORDER BY place, child"
        return try database.valueRows(sql, with: [relationship.databaseValue] + owner.values)
    }

    /// The statements of the table. GRDB's arguments would end at a NUL, and be the key of another record.
    package struct Statements {
        /// Takes the relationship and the owner; returns the children and their positions.
        package let ofOwner: RawStatement
        /// Takes the relationship, the owner, the child and its position. If two owners list one child, the last is
        /// used.
        package let keep: RawStatement
        /// Takes the relationship and the child.
        package let delete: RawStatement

        package init(_ database: Database) throws {
            ofOwner = try RawStatement(
                "SELECT child, place FROM \(name) WHERE relationship = ? AND owner = ?", in: database)
            keep = try RawStatement(
                """
                INSERT INTO \(name) (relationship, owner, child, place) VALUES (?, ?, ?, ?) \
                ON CONFLICT (relationship, child) DO UPDATE SET owner = excluded.owner, place = excluded.place \
                WHERE owner IS NOT excluded.owner OR place IS NOT excluded.place
                """, in: database)
            delete = try RawStatement("DELETE FROM \(name) WHERE relationship = ? AND child = ?", in: database)
        }
    }

    /// Whether a relationship waits for a child. Takes the child first, then the relationships.
    package static func findWaiting(relationshipCount: Int) -> String {
        let marks = (0..<relationshipCount).map { "?\($0 + 2)" }.joined(separator: ", ")
        return "SELECT 1 FROM \(name) WHERE child = ?1 AND relationship IN (\(marks))"
    }

    /// Returns the child, the owner and the position of each row of a relationship whose child is in the store.
    package static func findArrived(in children: EntityPlan, database: Database) throws -> RawStatement {
        let key = SQLName.quoted(children.columns[children.keyColumns[0]].name)
        return try RawStatement(
            """
            SELECT child, owner, place FROM \(name) WHERE relationship = ? \
            AND child IN (SELECT \(key) FROM \(SQLName.quoted(children.table)))
            """, in: database)
    }
}
