import GRDB
import LockstepEvolution
import LockstepTables

/// Links the merged records to the owner that the scope names, if that is by a many to many (Rules.md, M8).
///
/// After ``WriteMemberships``: a record that lists its owners decides itself whether it is linked.
struct LinkScopeOwner: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        guard let link = state.scope?.link else { return }
        let transaction = state.transaction
        let (root, database) = (transaction.root, transaction.database)
        let table = transaction.staging.tables[root.index]
        let names = link.join.sourceColumns + link.join.destinationColumns
        let owner = link.ownerKey.values
        let insert = try RawStatement(Self.insertSQL(link.join, names: names), in: database)
        let insertBack =
            try link.join.isSymmetric ? RawStatement(Self.insertBackSQL(link.join, names: names), in: database) : nil
        let find = try RawStatement(
            "SELECT 1 FROM \(SQLName.quoted(link.join.table)) WHERE \(SQLName.condition(names))", in: database)
        var count = 0
        let pending = try pendingLinks(link, in: state)
        let inverse = transaction.plan.entities[link.owner].relationships[link.relationship].inverse.flatMap {
            root.relationships[$0].description.wire == .none ? nil : $0
        }
        for row in 0..<table.count where !table.origins[row].isNested && isMerged(row, table: table, in: transaction) {
            if let inverse, transaction.isListStated(inverse, of: table.row(row).fingerprint(root), entity: root) {
                continue
            }
            let key = root.plan.keyColumns.map { table.row(row)[$0].databaseValue }
            // A link that was removed locally does not come back.
            if let pending, try pending.isRemoved(table.key(row)) { continue }
            if try find.firstValue(owner + key) != nil { continue }
            if count == 0 { try transaction.changes.note(.insert, in: link.join.table, database: database) }
            count += try insert.run(owner + key)
            try insertBack?.run(key + owner)
        }
        if count > 0 { transaction.recordOwnerUpdate(of: link) }
    }

    /// The pending changes of the owner's links.
    private func pendingLinks(_ link: ScopeLink, in state: MergeState) throws -> LinkEdits? {
        guard let local = state.local else { return nil }
        let owner = state.transaction.plan.entities[link.owner]
        return try local.edits(of: owner.relationships[link.relationship], entity: owner)?
            .links(of: link.ownerKey.values.map { Cell($0, arena: state.transaction.staging.arena) })
    }

    /// Whether the row's record is in the store now: it was neither skipped nor excluded by the options.
    private func isMerged(_ row: Int, table: StagedTable, in transaction: MergeTransaction) -> Bool {
        guard !transaction.staging.isSkipped(row, of: table.entity.index) else { return false }
        let outcome = transaction.outcome(table.row(row).fingerprint(table.entity), of: table.entity)
        return outcome != nil && outcome != .listed
    }

    /// The other direction of a symmetric link, which has no position (Rules.md, R3).
    private static func insertBackSQL(_ join: JoinDescription, names: [String]) -> String {
        """
        INSERT OR IGNORE INTO \(SQLName.quoted(join.table)) (\(names.map(SQLName.quoted).joined(separator: ", "))) \
        VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
        """
    }

    /// New members come after the existing ones.
    private static func insertSQL(_ join: JoinDescription, names: [String]) -> String {
        let table = SQLName.quoted(join.table)
        var columns = names.map(SQLName.quoted)
        var values = names.indices.map { "?\($0 + 1)" }
        let ends = [
            (join.position, join.sourceColumns, 1),
            (join.inversePosition, join.destinationColumns, join.sourceColumns.count + 1),
        ]
        for case (let position?, let owner, let first) in ends {
            columns.append(SQLName.quoted(position))
            values.append(join.nextPositionSQL(position, of: owner, from: first))
        }
        return """
            INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) \
            VALUES (\(values.joined(separator: ", ")))
            """
    }
}

extension MergeTransaction {
    /// Records that the owner in the scope has other members now.
    func recordOwnerUpdate(of link: ScopeLink) {
        record(
            .updated, of: plan.entities[link.owner], fingerprint: link.ownerKey.fingerprint, key: link.ownerKey,
            isListed: false)
    }
}
