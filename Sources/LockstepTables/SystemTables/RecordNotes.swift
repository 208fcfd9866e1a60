package import GRDB

/// The rows that system tables keep for single records beside their own rows. They are deleted with the record.
package struct RecordNotes {
    private let database: Database
    private let tables: [String]
    private let hasSpellings: Bool

    package init(_ database: Database) throws {
        self.database = database
        let all = [
            VersionTable.table, ReceivedVersionTable.table, ConfirmedTable.table, ScopeTable.table,
        ]
        tables = try all.filter(database.hasRows)
        hasSpellings = try IdentitySpellings.hasRows(database)
    }

    /// A record that is deleted.
    package struct Record {
        let key: RecordKey
        /// The identity on the server; `nil` if it has none, or nothing is kept by it.
        let identity: RecordKey?

        package init(key: RecordKey, identity: RecordKey?) {
            self.key = key
            self.identity = identity
        }
    }

    /// A record, while it is there.
    package func record(_ key: RecordKey, in plan: EntityPlan) throws -> Record {
        guard hasSpellings, let remote = plan.remoteColumn, !plan.ownUUIDColumns.isEmpty else {
            return Record(key: key, identity: plan.remoteColumn == nil ? key : nil)
        }
        let row = try database.valueRows(plan.findSQL, with: key.values).first
        return Record(key: key, identity: row.flatMap { $0[remote].isNull ? nil : RecordKey([$0[remote]]) })
    }

    /// Gives the version and the scope of a record to another row of it, which takes its place.
    package func move(_ key: RecordKey, to other: RecordKey, in plan: EntityPlan) throws {
        for table in [VersionTable.table, ScopeTable.table] where tables.contains(table) {
            try database.change(
                "UPDATE OR REPLACE \(table) SET record = ? WHERE \(plan.isRecord)",
                with: [plan.recordText(other).databaseValue] + plan.record(key))
        }
    }

    /// Forgets records that the server no longer has either.
    package func forget(_ records: [Record], in plan: EntityPlan) throws {
        for table in tables {
            let sql = "DELETE FROM \(table) WHERE \(plan.isRecord)"
            for record in records { try database.change(sql, with: plan.record(record.key)) }
        }
        guard hasSpellings else { return }
        try IdentitySpellings.forgetDeleted(records.compactMap(\.identity), of: plan, in: database)
    }

    /// Deletes what an earlier version of the library has kept of records by keys that several of them can share.
    static func forgetAmbiguous(_ plans: SchemaPlan, in database: Database) throws {
        for plan in plans where plan.keyColumns.count > 1 {
            for table in [VersionTable.table, ReceivedVersionTable.table] {
                try database.change("DELETE FROM \(table) WHERE entity = ?", with: [plan.name.databaseValue])
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
        key.values.count > 1 ? RecordID(self, key: key).key : key.text
    }
}
