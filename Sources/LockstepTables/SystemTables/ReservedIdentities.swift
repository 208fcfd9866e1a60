package import GRDB

/// Local identities that were assigned to records of `{ local, remote }` before these were received, because something
/// from the server points at them. A record gets its local identity from here when it is received.
package enum ReservedIdentities {
    package static let table = "lockstep_reserved_identity"

    /// Whether there are any.
    package static func hasRows(_ database: Database) throws -> Bool { try database.hasRows(table) }

    /// It is queried by either identity.
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS "\(table)" ("entity" TEXT NOT NULL, "remote_id" NOT NULL, "local_id" NOT NULL, \
        PRIMARY KEY ("entity", "remote_id")) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS \"\(table)_local_id\" ON \"\(table)\" (\"local_id\")",
    ]

    /// The server's identity of a record that was not received yet; `nil` if there is none.
    package static func remoteIdentity(
        of local: DatabaseValue, entity: String, in database: Database
    ) throws -> DatabaseValue? {
        guard try database.hasTable(table) else { return nil }
        return try database.valueRows(
            "SELECT remote_id FROM \(table) WHERE entity = ? AND local_id = ?", with: [entity.databaseValue, local]
        ).first?[0]
    }

    /// The keys of an entity that were reserved for records which were received with another key.
    ///
    /// - Parameter remote: The column with the server's identity.
    package static func arrived(
        in plan: EntityPlan, remote: Int, database: Database
    ) throws -> [(reserved: DatabaseValue, own: DatabaseValue)] {
        let columns = plan.columns.map { SQLName.quoted($0.name) }
        return try database.valueRows(
            """
            SELECT r.local_id, e.\(columns[plan.keyColumns[0]]) FROM \(table) AS r \
            JOIN \(SQLName.quoted(plan.table)) AS e ON e.\(columns[remote]) = r.remote_id WHERE r.entity = ?
            """, with: [plan.name.databaseValue]
        ).map { ($0[0], $0[1]) }
    }

    /// Deletes the reserved keys of records that were received, with exceptions.
    package static func deleteArrived(
        in plan: EntityPlan, remote: Int, except kept: [DatabaseValue], database: Database
    ) throws {
        let marks = kept.map { _ in "?" }.joined(separator: ", ")
        try database.change(
            """
            DELETE FROM \(table) WHERE entity = ? AND remote_id IN \
            (SELECT \(SQLName.quoted(plan.columns[remote].name)) FROM \(SQLName.quoted(plan.table))) \
            AND local_id NOT IN (\(marks))
            """, with: [plan.name.databaseValue] + kept)
    }

    /// The statements of the table. GRDB's arguments would end at a NUL, and be the key of another record.
    package struct Statements {
        /// Takes the entity's name and the server's identity.
        package let find: RawStatement
        /// Takes the entity's name, the server's identity and the key.
        package let insert: RawStatement
        /// Takes the entity's name and the server's identity.
        package let delete: RawStatement

        package init(_ database: Database) throws {
            let isOne = "WHERE entity = ? AND remote_id = ?"
            find = try RawStatement("SELECT local_id FROM \(table) \(isOne)", in: database)
            insert = try RawStatement(
                "INSERT OR REPLACE INTO \(table) (entity, remote_id, local_id) VALUES (?, ?, ?)", in: database)
            delete = try RawStatement("DELETE FROM \(table) \(isOne)", in: database)
        }
    }
}
