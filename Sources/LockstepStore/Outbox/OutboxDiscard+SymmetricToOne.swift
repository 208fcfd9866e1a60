import GRDB

// Symmetric to-one links. A link is a pending change of both records, and is undone as one, whatever is still pending
// of the other one: half of a link would be left otherwise.
extension OutboxDiscard {
    /// Undoes a link that was added to a record, or removed from it.
    func restoreToOne(
        _ link: OutboxLinkChange, of owner: RecordKey, and other: RecordKey, route: OutboxLinkRoute,
        in join: JoinDescription
    ) throws {
        guard link.isAdded else {
            if try self.link(owner, other, in: join) { try forget(link, of: owner, at: other, route: route) }
            return
        }
        try changes.note(.delete, in: join.table, database: database)
        let isLink = SQLName.condition(join.sourceColumns + join.destinationColumns)
        for pair in [owner.values + other.values, other.values + owner.values] {
            try database.change("DELETE FROM \(SQLName.quoted(join.table)) WHERE \(isLink)", with: pair)
        }
        try forget(link, of: owner, at: other, route: route)
        if other != owner { try restoreFormer(of: other, route: route, in: join) }
    }

    /// Undoes the links of a record that is about to be deleted, because its creation is undone.
    func restoreToOnes(of change: PendingChange, plan: EntityPlan) throws {
        for relationship in plan.relationships {
            guard case .manyToMany(let join) = relationship.kind, join.isToOne, let route = route(named: join.table)
            else { continue }
            for link in try OutboxWriter(database, plan: plan).links(of: change.key) where link.name == route.name {
                guard link.isAdded, let other = OutboxRecord.key(link.destination, of: plan) else { continue }
                try restoreToOne(link, of: change.key, and: other, route: route, in: join)
            }
        }
    }

    /// Links a record to the one that it was linked to before, now that it has no other.
    private func restoreFormer(of record: RecordKey, route: OutboxLinkRoute, in join: JoinDescription) throws {
        let writer = OutboxWriter(database, plan: route.owner)
        for removal in try writer.links(of: record) where removal.name == route.name && !removal.isAdded {
            guard let former = OutboxRecord.key(removal.destination, of: route.destination),
                try link(record, former, in: join)
            else { continue }
            try forget(removal, of: record, at: former, route: route)
            let source = try OutboxRecord.value(of: record, plan: route.owner, in: database)
            try OutboxLinkTable(database).delete(
                OutboxLinkTable.Row(link: route, ends: [source, removal.destination], isAdded: false))
            try writer.settle(record)
        }
    }

    /// Links two records, unless one of them was linked to another one since.
    ///
    /// - Returns: Whether they were linked.
    private func link(_ one: RecordKey, _ other: RecordKey, in join: JoinDescription) throws -> Bool {
        let table = SQLName.quoted(join.table)
        for (columns, record) in [join.sourceColumns, join.destinationColumns].flatMap({ [($0, one), ($0, other)] }) {
            let isTaken = "SELECT 1 FROM \(table) WHERE \(SQLName.condition(columns)) LIMIT 1"
            if try !database.valueRows(isTaken, with: record.values).isEmpty { return false }
        }
        let columns = (join.sourceColumns + join.destinationColumns).map(SQLName.quoted)
        try changes.note(.insert, in: join.table, database: database)
        for pair in one == other ? [one.values + one.values] : [one.values + other.values, other.values + one.values] {
            try database.change(
                """
                INSERT INTO \(table) (\(columns.joined(separator: ", "))) \
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """, with: pair)
        }
        return true
    }

    /// Forgets the pending change of a link that the other record has, if it is the same.
    private func forget(
        _ link: OutboxLinkChange, of owner: RecordKey, at other: RecordKey, route: OutboxLinkRoute
    ) throws {
        let writer = OutboxWriter(database, plan: route.owner)
        let source = try OutboxRecord.value(of: owner, plan: route.owner, in: database)
        guard
            let back = try writer.links(of: other).first(where: { $0.name == link.name && $0.destination == source }),
            back.isAdded == link.isAdded, other != owner
        else { return }
        try OutboxLinkTable(database).delete(
            OutboxLinkTable.Row(link: route, ends: [link.destination, source], isAdded: link.isAdded))
        try writer.settle(other)
    }
}
