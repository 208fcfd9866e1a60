import GRDB
import LockstepTables

// Links that are moved to another record: foreign keys, join rows, and pending changes of links.
extension RecordUnion {
    /// Redirects everything that refers to one record to the other. Collisions must have been resolved before.
    ///
    /// - Returns: Whether the other record has gained links that must be sent to the server.
    func move(_ pair: Pair) throws -> Bool {
        try makeRoomInToOnes(for: pair)
        try ConflictTable.move(pair.record, to: pair.other, in: pair.plan, database: database)
        // Whether a link existed before can only be determined until the rows are moved.
        let hasLinksToSend = try movePendingLinks(pair)
        for entity in plan.entities {
            for relationship in entity.relationships {
                let isTarget = plan.entities[relationship.destination].plan === pair.plan
                if isTarget, let columns = relationship.foreignKey {
                    try moveKeys(entity.plan, columns: columns, pair: pair)
                } else if case .manyToMany(let join) = relationship.description.kind {
                    if isTarget { try moveRows(join.table, columns: join.destinationColumns, pair: pair) }
                    if entity.plan === pair.plan { try moveRows(join.table, columns: join.sourceColumns, pair: pair) }
                }
            }
        }
        return hasLinksToSend
    }

    /// Ensures that links that were moved to a record are sent.
    func markChanged(_ pair: Pair) throws {
        let writer = OutboxWriter(database, plan: pair.plan)
        if try writer.change(of: pair.other) == nil { _ = try writer.touch(pair.other) }
        try writer.noteChange(of: pair.other)
        guard pair.plan.travelsInside else { return }
        try InsideOwners(database).touchOwner(of: pair.plan, key: pair.other)
    }

    private func moveKeys(_ plan: EntityPlan, columns: [Int], pair: Pair) throws {
        let names = columns.map { plan.columns[$0].name }
        try changes.note(.update, in: plan.table, database: database)
        try move(plan.table, columns: names, pair: pair)
        if plan.isTracked { try move(BaseTable(plan, in: database).name, columns: names, pair: pair) }
    }

    /// If the other record has the same link, one of the two is deleted.
    private func moveRows(_ table: String, columns: [String], pair: Pair) throws {
        try changes.note(.update, in: table, database: database)
        try move(table, columns: columns, pair: pair, clause: "OR IGNORE")
        try changes.note(.delete, in: table, database: database)
        try database.change(
            "DELETE FROM \(SQLName.quoted(table)) WHERE \(SQLName.condition(columns))", with: pair.record.values)
    }

    func move(_ table: String, columns: [String], pair: Pair, clause: String = "") throws {
        let assignments = columns.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: ", ")
        try database.change(
            "UPDATE \(clause) \(SQLName.quoted(table)) SET \(assignments) WHERE \(SQLName.condition(columns))",
            with: pair.other.values + pair.record.values)
    }

    // MARK: Pending changes

    private func movePendingLinks(_ pair: Pair) throws -> Bool {
        var hasLinksToSend = false
        let (old, new) = (
            try OutboxRecord.value(of: pair.record, plan: pair.plan, in: database),
            try OutboxRecord.value(of: pair.other, plan: pair.plan, in: database)
        )
        for link in OutboxLinkRoute.links(of: plan.schema) {
            for (end, plan) in [link.owner, link.destination].enumerated() where plan === pair.plan {
                for change in try OutboxLinkTable(database).rows(of: link, at: end, key: old) {
                    let isMoved = try move(change, end: end, to: new)
                    if isMoved, end == 0 { hasLinksToSend = true }
                }
            }
        }
        return hasLinksToSend
    }

    /// Moves a pending change of a link to the other row. If that row has the link already, or has a pending change of
    /// it as well, there is nothing more to send: what was added to one and removed from the other stays.
    private func move(_ change: OutboxLinkTable.Row, end: Int, to key: DatabaseValue) throws -> Bool {
        let table = OutboxLinkTable(database)
        var other = OutboxLinkTable.Row(link: change.link, ends: change.ends, isAdded: !change.isAdded)
        other.ends[end] = key
        if try !table.has(other) && !isLinked(other) {
            try table.move(change, end: end, to: key)
            return true
        }
        try table.delete(change)
        if change.isAdded { try table.delete(other, ifRemoval: true) }
        return false
    }

    private func isLinked(_ row: OutboxLinkTable.Row) throws -> Bool {
        let link = row.link
        let (table, source, destination): (String, [String], [String])
        switch link.storage {
        case .joinTable(let join):
            (table, source, destination) = (join.table, join.sourceColumns, join.destinationColumns)
        case .foreignKey(let columns, _):
            let plan = link.destination
            table = plan.table
            (source, destination) = (
                columns.map { plan.columns[$0].name }, plan.keyColumns.map { plan.columns[$0].name }
            )
        }
        let ends = [
            link.owner.outboxRecordSQL(of: source.map(SQLName.quoted)),
            link.destination.outboxRecordSQL(of: destination.map(SQLName.quoted)),
        ]
        return try !database.valueRows(
            "SELECT 1 FROM \(SQLName.quoted(table)) WHERE \(ends[0]) = ?1 AND \(ends[1]) = ?2 LIMIT 1", with: row.ends
        ).isEmpty
    }
}
