package import GRDB

// Which records of an entity are pending.
extension OutboxTable {
    /// Which kinds of changes count.
    package struct Selection: Sendable {
        package let kinds: [PendingChange.Kind]
        /// The names of changes that no entity claims. All kinds except deletes are selected.
        package let unclaimed: [String]
        /// The lists that records were added to.
        package let lists: [OutboxLinkRoute]

        package init(kinds: [PendingChange.Kind], unclaimed: [String] = [], lists: [OutboxLinkRoute] = []) {
            self.kinds = kinds
            self.unclaimed = unclaimed
            self.lists = lists
        }
    }

    /// The keys of an entity's records that are in the store and match a selection.
    package static func records(
        of plan: EntityPlan, selection: Selection, in database: Database
    ) throws -> Set<RecordKey> {
        let kinds = selection.kinds.map { String($0.outboxChange.rawValue) }.joined(separator: ", ")
        let pending = "SELECT record FROM \(OutboxTables.outbox) WHERE entity = ? AND change IN (\(kinds))"
        let waiting =
            "SELECT record FROM \(OutboxTables.outbox) WHERE entity = ? AND change <> \(OutboxChange.delete.rawValue)"
        let added = "SELECT destination FROM \(OutboxTables.links) WHERE is_added = 1 AND join_table = ?"
        let queries = [pending] + selection.unclaimed.map { _ in waiting } + selection.lists.map { _ in added }
        let sql = """
            SELECT \(plan.keyNames) FROM \(SQLName.quoted(plan.table)) WHERE \(plan.outboxRecordSQL()) IN \
            (\(queries.joined(separator: " UNION ALL ")))
            """
        // Records that are only sent inside others are pending with those. The empty name is that of no entity.
        let names = [plan.travelsInside ? "" : plan.name] + selection.unclaimed + selection.lists.map(\.name)
        var keys: Set<RecordKey> = []
        try RawStatement(sql, in: database).forEachRow(names.map(\.databaseValue)) { row in
            keys.insert(row.key(plan.keyColumns.count))
        }
        return keys
    }

    /// The keys of an entity's changed records that satisfy a condition with their current or their former values.
    ///
    /// - Parameter condition: SQL in terms of the entity's columns; `nil` for all records.
    package static func updatedRecords(
        of plan: EntityPlan, where condition: String?, with arguments: [DatabaseValue], in database: Database
    ) throws -> Set<RecordKey> {
        func keys(_ table: String) throws -> Set<RecordKey> {
            let sql = """
                SELECT \(plan.keyNames) FROM \(SQLName.quoted(table)) WHERE \(condition.map { "(\($0)) AND " } ?? "")\
                \(plan.outboxRecordSQL()) IN (SELECT record FROM \(OutboxTables.outbox) WHERE entity = ? \
                AND change = \(OutboxChange.update.rawValue))
                """
            var keys: Set<RecordKey> = []
            try RawStatement(sql, in: database).forEachRow(arguments + [plan.name.databaseValue]) {
                keys.insert($0.key(plan.keyColumns.count))
            }
            return keys
        }
        return try keys(plan.table).intersection(keys(OutboxTables.base(of: plan)))
    }

    /// Finds the key of a record that was deleted locally by a former value: takes the value of the column (1) and the
    /// entity's name (2), and returns the key.
    package static func findDeleted(by column: Int, of plan: EntityPlan, in database: Database) throws -> RawStatement {
        let names = plan.columns.map { SQLName.quoted($0.name) }
        let key = names[plan.keyColumns[0]]
        return try RawStatement(
            """
            SELECT b.\(key) FROM \(SQLName.quoted(OutboxTables.base(of: plan))) AS b \
            JOIN \(OutboxTables.outbox) AS o ON o.entity = ?2 AND o.record = b.\(key) \
            WHERE b.\(names[column]) = ?1 AND o.change = \(OutboxChange.delete.rawValue)
            """, in: database)
    }
}

extension EntityPlan {
    /// The names of the key's columns, quoted.
    fileprivate var keyNames: String {
        keyColumns.map { SQLName.quoted(columns[$0].name) }.joined(separator: ", ")
    }
}

extension PendingChange.Kind {
    fileprivate var outboxChange: OutboxChange {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }
}
