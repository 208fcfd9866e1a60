package import GRDB
package import LockstepJSON

/// The spellings in which a server has sent the UUIDs of identities: `6F1C…` or `6f1c…` (Rules.md, M5).
///
/// A store has each UUID in lower case. For a server that compares texts, or has them as keys, another spelling is
/// another record, so what was received is the record's address, and how links to it are written. The table has only
/// those that differ from what the schema writes by itself (``EntityPlan/spelled(_:)``), which is usually none.
package struct IdentitySpellings {
    static let table = "lockstep_spelling"

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, identity TEXT NOT NULL, spelling TEXT NOT NULL, \
        PRIMARY KEY (entity, identity)) WITHOUT ROWID
        """
    ]

    private let database: Database
    private let hasRows: Bool

    package init(_ database: Database) throws {
        self.database = database
        hasRows = try Self.hasRows(database)
    }

    static func exists(_ database: Database) throws -> Bool { try database.hasTable(table) }

    /// Whether there are any. A read-only store of an earlier version has no table.
    package static func hasRows(_ database: Database) throws -> Bool {
        try exists(database) && database.hasRows(table)
    }

    // MARK: Reading

    /// The identity by which a server knows a row, as it is sent; `nil` if the server knows none.
    package func identity(of row: [DatabaseValue], _ plan: EntityPlan) throws -> [JSONValue]? {
        let values = plan.serverKeyColumns.map { row[$0] }
        return values.contains(where: \.isNull) ? nil : try identity(values, plan)
    }

    /// An identity as it is sent.
    package func identity(_ values: [DatabaseValue], _ plan: EntityPlan) throws -> [JSONValue] {
        try zip(plan.serverKeyColumns, values).map { column, value in
            try spelling(of: value, column, plan).map(JSONValue.string) ?? JSONValue(storedScalar: value)
        }
    }

    /// How a UUID of an identity is sent; `nil` if the value is none.
    package func spelling(of value: DatabaseValue, _ column: Int, _ plan: EntityPlan) throws -> String? {
        guard let owner = plan.uuidOwner(of: column), case .string(let identity) = value.storage else { return nil }
        return try known(identity, owner) ?? owner.spelled(identity)
    }

    private func known(_ identity: String, _ plan: EntityPlan) throws -> String? {
        guard hasRows else { return nil }
        return try database.valueRows(
            "SELECT spelling FROM \(Self.table) WHERE entity = ? AND identity = ?",
            [plan.name.databaseValue, identity.databaseValue]
        ).first.flatMap { String.fromDatabaseValue($0[0]) }
    }

    // MARK: Migrations

    /// From now on, the schema writes UUIDs of an entity in another case (`wire: { uuids: … }`). The server has those
    /// that it knows in the spelling that it had before.
    ///
    /// - Parameters:
    ///   - keys: The columns of the identity that are such UUIDs.
    ///   - isUppercase: Whether they are written in upper case now.
    static func change(
        _ entity: String, _ table: String, _ keys: [String], isUppercase: Bool, _ database: Database
    ) throws {
        guard try exists(database) else { return }
        let (former, now) = isUppercase ? ("lower", "upper") : ("upper", "lower")
        for table in [table, "lockstep_base_\(table)"] where try database.hasTable(table) {
            for key in keys.map(SQLName.quoted) {
                try database.change(
                    """
                    INSERT OR IGNORE INTO \(Self.table) (entity, identity, spelling) \
                    SELECT ?, \(key), \(former)(\(key)) FROM \(SQLName.quoted(table)) WHERE \(key) IS NOT NULL
                    """, [entity.databaseValue])
            }
        }
        try database.change(
            "DELETE FROM \(Self.table) WHERE entity = ? AND spelling = \(now)(identity)", [entity.databaseValue])
    }

    // MARK: Writing

    /// The statements for what a merge receives.
    package struct Statements {
        private let keep: RawStatement
        private let keepUnknown: RawStatement
        private let forget: RawStatement
        private let find: RawStatement
        private let plan: EntityPlan

        package init(_ plan: EntityPlan, _ database: Database) throws {
            self.plan = plan
            let key = SQLName.quoted(plan.columns[plan.serverKeyColumns[0]].name)
            let row = "INSERT INTO \(table) (entity, identity, spelling)"
            keep = try RawStatement(
                """
                \(row) VALUES (?1, ?2, ?3) ON CONFLICT (entity, identity) \
                DO UPDATE SET spelling = excluded.spelling WHERE spelling <> excluded.spelling
                """, database)
            keepUnknown = try RawStatement(
                """
                \(row) SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(key) = ?2) \
                ON CONFLICT (entity, identity) DO NOTHING
                """, database)
            find = try RawStatement("SELECT 1 FROM \(table) WHERE entity = ?1 AND identity = ?2", database)
            // A record that is skipped says nothing. One that was deleted locally has its base values.
            let known = try [plan.table, OutboxTables.base(of: plan)].filter(database.hasTable).map {
                "EXISTS (SELECT 1 FROM \(SQLName.quoted($0)) WHERE \(key) = ?2)"
            }
            forget = try RawStatement(
                "DELETE FROM \(table) WHERE entity = ?1 AND identity = ?2 AND (\(known.joined(separator: " OR ")))",
                database)
        }

        /// A record came with this spelling.
        package func note(_ spelling: String, of identity: String) throws {
            let key = [plan.name.databaseValue, identity.databaseValue]
            if spelling == plan.spelled(identity) {
                try forget.run(key)
            } else {
                try keep.run(key + [spelling.databaseValue])
            }
        }

        /// A link came with this spelling. That of the record itself counts, as long as it is in the store.
        ///
        /// - Returns: Whether a spelling is known then. Otherwise that of the link counts if the record is deleted.
        package func noteLink(_ spelling: String, to identity: String) throws -> Bool {
            guard spelling != plan.spelled(identity) else { return true }
            let key = [plan.name.databaseValue, identity.databaseValue]
            try keepUnknown.run(key + [spelling.databaseValue])
            return try find.firstValue(key) != nil
        }
    }
}

extension EntityPlan {
    /// The entity whose records a column of the identity identifies by a UUID: this one, or the one that a to-one
    /// relationship in the identity leads to; `nil` if the value is no UUID of a server.
    package func uuidOwner(of column: Int) -> EntityPlan? {
        guard columns[column].type == .uuid else { return nil }
        guard case .foreignKey(let name) = columns[column].content else {
            return serverKeyColumns.contains(column) ? self : nil
        }
        guard let relationship = relationship(named: name),
            let part = foreignKeys[relationship].firstIndex(of: column)
        else { return nil }
        let destination = relationships[relationship].destination.entity.plan
        return destination.remoteColumn == nil ? destination.uuidOwner(of: destination.keyColumns[part]) : nil
    }

    /// How a UUID is spelled that was made here.
    package func spelled(_ identity: String) -> String { isUppercase ? identity.uppercased() : identity }

    private var isUppercase: Bool { keyColumns.contains { columns[$0].wire?.format == .uppercase } }
}
