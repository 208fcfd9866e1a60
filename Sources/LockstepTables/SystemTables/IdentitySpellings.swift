import Foundation
package import GRDB
import LockstepEvolution
package import LockstepJSON

/// It is not known how the server spells a UUID, so nothing that names its record can be sent (Rules.md, M5).
package struct UnknownSpelling: Error {
    /// The entity that the UUID identifies a record of.
    package let plan: EntityPlan
}

/// The spellings in which a server has sent the UUIDs of identities: `6F1C…` or `6f1c…` (Rules.md, M5).
///
/// A store has each UUID in lower case. For a server that compares texts, or has them as keys, another spelling is
/// another record, so what was received is the record's address, and how links to it are written. The table has only
/// those that differ from what the schema writes by itself (``EntityPlan/spelled(_:)``), which is usually none, and an
/// empty spelling for records of earlier versions of this library until they are received again.
package struct IdentitySpellings {
    static let table = "lockstep_spelling"

    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (entity TEXT NOT NULL, identity TEXT NOT NULL, spelling TEXT NOT NULL, \
        PRIMARY KEY (entity, identity)) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS \(table)_unknown ON \(table) (entity) WHERE \(isUnknown)",
    ]

    private static let isUnknown = "spelling = ''"

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
    package func identity(of row: [DatabaseValue], plan: EntityPlan) throws -> [JSONValue]? {
        let values = plan.serverKeyColumns.map { row[$0] }
        return values.contains(where: \.isNull) ? nil : try identity(values, of: plan)
    }

    /// An identity as it is sent: as the record's JSON has it, also in addresses.
    ///
    /// - Throws: As ``spelling(of:column:plan:)``.
    package func identity(_ values: [DatabaseValue], of plan: EntityPlan) throws -> [JSONValue] {
        try zip(plan.serverKeyColumns, values).map { column, value in
            try spelling(of: value, column: column, plan: plan).map(JSONValue.string)
                ?? (try? plan.columns[column].json(of: value))
                ?? JSONValue(storedScalar: value)
        }
    }

    /// How a UUID of an identity is sent; `nil` if the value is none.
    ///
    /// - Throws: ``UnknownSpelling``. In another spelling, it could be another record.
    package func spelling(of value: DatabaseValue, column: Int, plan: EntityPlan) throws -> String? {
        guard let owner = plan.uuidOwner(of: column), case .string(let identity) = value.storage else { return nil }
        guard let stored = try stored(identity, of: owner) else { return owner.spelled(identity) }
        if stored.isEmpty { throw UnknownSpelling(plan: owner) }
        // Anything else would be the address of another record (Rules.md, F1).
        return stored.lowercased() == identity ? stored : owner.spelled(identity)
    }

    /// Whether a server that names an identity by this text means a record that it knows: it has not sent the UUID in
    /// another spelling.
    package func isAddress(_ text: JSONValue, of value: DatabaseValue, column: Int, plan: EntityPlan) throws -> Bool {
        do {
            return try spelling(of: value, column: column, plan: plan).map { text == .string($0) } ?? true
        } catch is UnknownSpelling { return true }
    }

    private func stored(_ identity: String, of plan: EntityPlan) throws -> String? {
        guard hasRows else { return nil }
        return try database.valueRows(
            "SELECT spelling FROM \(Self.table) WHERE entity = ? AND identity = ?",
            with: [plan.name.databaseValue, identity.databaseValue]
        ).first.flatMap { String.fromDatabaseValue($0[0]) }
    }

    // MARK: Files of earlier versions

    /// The server has the records of an entity in spellings that nobody has noted.
    static func markUnknown(_ plan: EntityPlan, in database: Database) throws {
        for column in plan.ownUUIDColumns { try insert({ _ in "''" }, of: column, plan: plan, in: database) }
    }

    /// The entities with records whose spellings are not known.
    package static func unknownEntities(_ database: Database) throws -> Set<String> {
        guard try exists(database) else { return [] }
        let rows = try database.valueRows("SELECT DISTINCT entity FROM \(table) WHERE \(isUnknown)")
        return Set(rows.compactMap { String.fromDatabaseValue($0[0]) })
    }

    /// All records of an entity that the server lists were received: for the rest, the usual spelling counts.
    package static func forgetUnknown(of plan: EntityPlan, in database: Database) throws {
        try database.change(
            "DELETE FROM \(table) WHERE entity = ? AND \(isUnknown)", with: [plan.name.databaseValue])
    }

    /// Stores a spelling, by an SQL expression, of each identity that the server may know and that has no row.
    private static func insert(
        _ spelling: (_ key: String) -> String, of column: Int, plan: EntityPlan, in database: Database
    ) throws {
        let (own, base) = (SQLName.quoted(plan.table), SQLName.quoted(OutboxTables.base(of: plan)))
        let key = SQLName.quoted(plan.columns[column].name)
        let isUnsent = OutboxSQL.hasRow(
            of: plan, for: plan.outboxRecordSQL(own),
            and: "change = \(OutboxChange.create.rawValue) AND idempotency_key IS NULL")
        var sources = [(own, " AND NOT \(isUnsent)")]
        if try database.hasTable(OutboxTables.base(of: plan)) { sources.append((base, "")) }
        for (table, condition) in sources {
            try database.change(
                """
                INSERT OR IGNORE INTO \(Self.table) (entity, identity, spelling) \
                SELECT ?, \(key), \(spelling(key)) FROM \(table) WHERE \(key) IS NOT NULL\(condition)
                """, with: [plan.name.databaseValue])
        }
    }

    // MARK: Migrations

    /// From now on, the schema writes UUIDs of an entity in another case (`wire: { uuids: … }`). The server has those
    /// that it knows in the spelling that it had before.
    ///
    /// - Parameter isUppercase: Whether they are written in upper case now.
    static func change(_ plan: EntityPlan, isUppercase: Bool, in database: Database) throws {
        guard try exists(database) else { return }
        let (former, now) = isUppercase ? ("lower", "upper") : ("upper", "lower")
        for column in plan.ownUUIDColumns { try insert({ "\(former)(\($0))" }, of: column, plan: plan, in: database) }
        try database.change(
            "DELETE FROM \(table) WHERE entity = ? AND spelling = \(now)(identity)",
            with: [plan.name.databaseValue])
    }

    // MARK: Writing

    /// The server has returned this identity for a record, beside its values.
    package static func note(_ identity: [JSONValue], of plan: EntityPlan, in database: Database) throws {
        guard identity.count == plan.serverKeyColumns.count else { return }
        let spellings = try IdentitySpellings(database)
        for (column, value) in zip(plan.serverKeyColumns, identity) where plan.ownUUIDColumns.contains(column) {
            guard case .string(let text) = value, UUID(uuidString: text) != nil else { continue }
            let stored = text.lowercased()
            if try spellings.stored(stored, of: plan) ?? plan.spelled(stored) != text {
                try noteRecords([stored: text], of: plan, in: database)
            }
        }
    }

    /// Records came with these spellings, by their UUIDs.
    package static func noteRecords(_ spellings: [String: String], of plan: EntityPlan, in database: Database) throws {
        let unusual = spellings.filter { $1 != plan.spelled($0) }
        if !unusual.isEmpty {
            try database.change(
                """
                INSERT INTO \(table) (entity, identity, spelling) SELECT ?1, key, value FROM json_each(?2) WHERE true \
                ON CONFLICT (entity, identity) \
                DO UPDATE SET spelling = excluded.spelling WHERE spelling <> excluded.spelling
                """, with: [plan.name.databaseValue, json(unusual)])
        }
        // A record that is skipped says nothing. One that was deleted locally has its base values.
        let usual = spellings.keys.filter { unusual[$0] == nil }
        try forget(usual, condition: "AND \(plan.isKnown("identity"))", of: plan, in: database)
    }

    /// Links came with these spellings, by the UUIDs of their records. That of the record itself counts, as long as it
    /// is in the store.
    package static func noteLinks(_ spellings: [String: String], to plan: EntityPlan, in database: Database) throws {
        if spellings.isEmpty { return }
        try database.change(
            """
            INSERT INTO \(table) (entity, identity, spelling) SELECT ?1, key, value FROM json_each(?2) \
            WHERE NOT \(plan.hasUUID("key", in: [plan.table])) ON CONFLICT (entity, identity) DO NOTHING
            """, with: [plan.name.databaseValue, json(spellings)])
    }

    /// Records were deleted, here and on the server.
    static func forgetDeleted(_ identities: [RecordKey], of plan: EntityPlan, in database: Database) throws {
        let positions = plan.serverKeyColumns.indices.filter { plan.ownUUIDColumns.contains(plan.serverKeyColumns[$0]) }
        let uuids = identities.flatMap { identity in
            positions.compactMap { String.fromDatabaseValue(identity.values[$0]) }
        }
        // Identities of several values can have a UUID in common.
        try forget(uuids, condition: "AND NOT \(plan.isKnown("identity"))", of: plan, in: database)
    }

    private static func forget(
        _ uuids: [String], condition: String, of plan: EntityPlan, in database: Database
    ) throws {
        if uuids.isEmpty { return }
        let text = StoredJSON.text(of: .array(uuids.map(JSONValue.string)))
        try database.change(
            """
            DELETE FROM \(table) WHERE entity = ? AND identity IN (SELECT value FROM json_each(?)) \(condition)
            """, with: [plan.name.databaseValue, text.databaseValue])
    }

    private static func json(_ spellings: [String: String]) -> DatabaseValue {
        StoredJSON.text(of: .object(JSONObject(spellings.mapValues(JSONValue.string)))).databaseValue
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
        let destination = relationships[relationship].destination
        return destination.remoteColumn == nil ? destination.uuidOwner(of: destination.keyColumns[part]) : nil
    }

    /// The columns of the identity on the server with UUIDs of this entity.
    package var ownUUIDColumns: [Int] { serverKeyColumns.filter { uuidOwner(of: $0) === self } }

    /// The condition that the identity of a row of some tables contains a UUID, as SQL.
    ///
    /// A subquery that names no other table is run once in a statement, or an index takes its place: a table whose key
    /// does not begin with the UUID is read once, not for each UUID. The comparison has no result if the UUID is not
    /// there and a row has no identity yet.
    fileprivate func hasUUID(_ uuid: String, in tables: [String]) -> String {
        let conditions = tables.flatMap { table in
            ownUUIDColumns.map { column in
                "\(uuid) IN (SELECT \(SQLName.quoted(columns[column].name)) FROM \(SQLName.quoted(table)))"
            }
        }
        return "((\(conditions.joined(separator: " OR "))) IS TRUE)"
    }

    /// The condition that a record has a UUID in its identity, or one that was deleted locally, as SQL.
    fileprivate func isKnown(_ uuid: String) -> String {
        hasUUID(uuid, in: isTracked ? [table, OutboxTables.base(of: self)] : [table])
    }

    /// How a UUID is spelled that was made here.
    package func spelled(_ identity: String) -> String { isUppercase ? identity.uppercased() : identity }

    private var isUppercase: Bool { keyColumns.contains { columns[$0].wire?.format == .uppercase } }
}
