package import GRDB

/// What tables keep of single records beside their rows. It is deleted with the record.
package struct RecordNotes {
    private let database: Database
    private let tables: [String]
    private let hasSpellings: Bool

    package init(_ database: Database) throws {
        self.database = database
        let all = [VersionTable.table, StaleVersionTable.table, ReceivedVersionTable.table, ConfirmedTable.table]
        tables = try all.filter(database.hasRows)
        hasSpellings = try IdentitySpellings.hasRows(database)
    }

    /// The UUIDs that identify a record on the server, while it is there; none if nothing is kept of them.
    package func uuids(of key: RecordKey, in plan: EntityPlan) throws -> [DatabaseValue] {
        let columns = hasSpellings ? plan.ownUUIDColumns : []
        if columns.isEmpty { return [] }
        if plan.remoteColumn == nil {
            return zip(plan.keyColumns, key.values).filter { columns.contains($0.0) }.map { $0.1 }
        }
        return try database.valueRows(plan.findSQL, key.values).first.map { row in columns.map { row[$0] } } ?? []
    }

    /// Forgets a record that the server no longer has either.
    package func forget(_ key: RecordKey, _ uuids: [DatabaseValue], in plan: EntityPlan) throws {
        for table in tables {
            try database.change("DELETE FROM \(table) WHERE \(plan.isRecord)", plan.record(key))
        }
        if uuids.isEmpty { return }
        let statements = try IdentitySpellings.Statements(plan, database)
        for uuid in uuids { try statements.forgetDeleted(uuid) }
    }

    /// Deletes what an earlier version of the library has kept of records by keys that several of them can share.
    static func forgetAmbiguous(_ plans: [EntityPlan], _ database: Database) throws {
        for plan in plans where plan.keyColumns.count > 1 {
            for table in [VersionTable.table, StaleVersionTable.table] {
                try database.change("DELETE FROM \(table) WHERE entity = ?", [plan.name.databaseValue])
            }
        }
    }
}

extension EntityPlan {
    /// The condition of a record's row.
    var isRecord: String { "entity = ? AND record = ?" }

    /// Its arguments.
    func record(_ key: RecordKey) -> [DatabaseValue] { [name.databaseValue, recordText(key).databaseValue] }

    /// A record's key as the tables have it. Several values are a JSON array, because two keys can have the same
    /// readable text.
    package func recordText(_ key: RecordKey) -> String {
        key.values.count > 1 ? RecordPlace(self, key).key : key.text
    }
}
