import GRDB
import LockstepTables

/// Finds the records in scope that the payload does not list and that may be deleted.
///
/// If nothing is to be deleted, which is by far the most common case, the cost is one scan of the keys.
struct StaleRecordCandidates {
    let scope: ResolvedScope
    let database: Database
    let protectedRecords: ProtectedRecords

    private var plan: EntityPlan { scope.plan }

    func find() throws -> [RecordReference] {
        let unlisted = try unlistedKeys()
        let changeable = try unlisted.filter { try !protectedRecords.isChanged($0) }
        return try withoutSubtrees(changeable)
    }

    /// The records that the payload does not list, with or without local changes.
    func findUnlisted() throws -> [RecordReference] { try withoutSubtrees(unlistedKeys()) }

    func listedCount(where isCounted: (RecordKey) -> Bool) throws -> Int {
        var count = 0
        try forEachRecord { if protectedRecords.isListed($0), isCounted($0.key) { count += 1 } }
        return count
    }

    private func unlistedKeys() throws -> [RecordReference] {
        var unlisted: [RecordReference] = []
        try forEachRecord { if !protectedRecords.isListed($0) { unlisted.append($0) } }
        return unlisted
    }

    /// The records in scope that have an identity on the server.
    private func forEachRecord(_ body: (RecordReference) throws -> Void) throws {
        var conditions = scope.condition.map { [$0] } ?? []
        if let remote = plan.remoteColumn { conditions.append("\(name(of: remote)) IS NOT NULL") }
        let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let keyCount = plan.keyColumns.count
        let statement = try RawStatement("SELECT \(keyNames) FROM \(SQLName.quoted(plan.table))\(filter)", in: database)
        try statement.forEachRow(scope.arguments) { row in
            try body(RecordReference(entity: scope.entity, key: row.key(keyCount)))
        }
    }

    private var keyNames: String { plan.keyColumns.map(name).joined(separator: ", ") }

    private func name(of column: Int) -> String { SQLName.quoted(plan.columns[column].name) }

    // MARK: Trees

    /// Leaves out records below one that stays if the server lists a tree by its roots (Rules.md, R7).
    ///
    /// The children of a record are nested in it then, and its own list decides which of them remain.
    private func withoutSubtrees(_ records: [RecordReference]) throws -> [RecordReference] {
        guard !records.isEmpty, let parentColumns else { return records }
        let names = parentColumns.map(name).joined(separator: ", ")
        let parentOf = try RawStatement(
            "SELECT \(names) FROM \(SQLName.quoted(plan.table)) WHERE \(plan.keyCondition)", in: database)
        let row = try RawStatement(
            "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(plan.keyCondition)", in: database)
        var parents: [RecordReference: RecordReference] = [:]
        for record in records {
            try parentOf.forEachRow(record.key.values) { row in
                if row.isNull(0) { return }
                parents[record] = RecordReference(entity: scope.entity, key: row.key(parentColumns.count))
            }
        }
        let leaving = Set(records)
        var children: [RecordReference: [RecordReference]] = [:]
        for (child, parent) in parents { children[parent, default: []].append(child) }
        var staying = Set<RecordReference>()
        var waiting = try children.keys.filter { try !leaving.contains($0) && row.firstValue($0.key.values) != nil }
        while let parent = waiting.popLast() {
            for child in children[parent] ?? [] where staying.insert(child).inserted { waiting.append(child) }
        }
        return records.filter { !staying.contains($0) }
    }

    /// The foreign key to the record's parent, if it is embedded in the parent's JSON.
    private var parentColumns: [Int]? {
        for relationship in plan.relationships {
            guard relationship.isEmbedded, relationship.destination === plan,
                let columns = relationship.columnsOfInverse
            else { continue }
            return columns
        }
        return nil
    }

    // MARK: Many to many

    /// The members of an owner that the payload does not list and that may be unlinked.
    func findMembers(of link: ScopeLink) throws -> [RecordKey] {
        let join = link.join
        let members = join.destinationColumns.map(SQLName.quoted).joined(separator: ", ")
        var sql = """
            SELECT \(members) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns))
            """
        if let condition = scope.condition {
            sql += " AND (\(members)) IN (SELECT \(keyNames) FROM \(SQLName.quoted(plan.table)) WHERE \(condition))"
        }
        var unlisted: [RecordKey] = []
        try RawStatement(sql, in: database).forEachRow(link.ownerKey.values + scope.arguments) { row in
            let record = RecordReference(entity: scope.entity, key: row.key(join.destinationColumns.count))
            if !protectedRecords.isListed(record) { unlisted.append(record.key) }
        }
        let reached = try reachedServer()
        return try unlisted.filter { key in
            try reached(key) && !protectedRecords.isChanged(RecordReference(entity: scope.entity, key: key))
        }
    }

    /// Whether the server has a record: it may have been created locally.
    private func reachedServer() throws -> (RecordKey) throws -> Bool {
        guard let remote = plan.remoteColumn else { return { _ in true } }
        let sql = "SELECT \(name(of: remote)) IS NULL FROM \(SQLName.quoted(plan.table)) WHERE \(plan.keyCondition)"
        let statement = try RawStatement(sql, in: database)
        return { key in try statement.firstValue(key.values) != 1.databaseValue }
    }
}
