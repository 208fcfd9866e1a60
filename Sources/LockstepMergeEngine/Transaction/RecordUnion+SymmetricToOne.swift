import GRDB
import LockstepTables

// Symmetric to-ones, of which the remaining record has room for one link.
extension RecordUnion {
    /// Removes the links that the remaining record cannot have: to itself, and of two links the one that is not a
    /// pending change (Rules.md, C5).
    func makeRoomInToOnes(for pair: Pair) throws {
        for relationship in pair.plan.relationships {
            guard case .manyToMany(let join) = relationship.kind, join.isToOne,
                let route = OutboxLinkRoute.links(of: plan.schema).first(where: { $0.name == join.table })
            else { continue }
            try unlink(pair.record, pair.other, in: join, route: route)
            guard let partner = try join.partner(of: pair.record, in: database),
                let other = try join.partner(of: pair.other, in: database)
            else { continue }
            let isAdded = try OutboxWriter(database, plan: pair.plan).links(of: pair.record).contains {
                $0.name == route.name && $0.isAdded
            }
            if isAdded {
                try unlink(pair.other, other, in: join, route: route)
            } else {
                try unlink(pair.record, partner, in: join, route: route)
            }
        }
    }

    /// Unlinks two records, and forgets the pending changes of the link.
    private func unlink(_ one: RecordKey, _ other: RecordKey, in join: JoinDescription, route: OutboxLinkRoute) throws {
        try changes.note(.delete, in: join.table, database: database)
        let isLink = SQLName.condition(join.sourceColumns + join.destinationColumns)
        let keys = try [one, other].map { try OutboxRecord.value(of: $0, plan: route.owner, in: database) }
        for (pair, ends) in [(one.values + other.values, keys), (other.values + one.values, keys.reversed())] {
            try database.change("DELETE FROM \(SQLName.quoted(join.table)) WHERE \(isLink)", with: pair)
            try OutboxLinkTable(database).delete(OutboxLinkTable.Row(link: route, ends: Array(ends), isAdded: true))
        }
    }
}
