import GRDB
import LockstepStore

/// Changes of a record that have no way to this remote from any end: they stay in the outbox when the rest is
/// confirmed.
struct UnsentChanges {
    /// The names of the links, as in the outbox.
    let links: Set<String>
    /// The columns of keys whose records are sent whole, elsewhere.
    let columns: [Int]
    /// The relationships, by the schema's names: `Exhibit.visitors`.
    let names: [String]

    var isEmpty: Bool { names.isEmpty }

    init(
        _ own: PushRecord.Settled?, _ plan: EntityPlan, _ row: [DatabaseValue]?, _ base: [DatabaseValue]?,
        _ ownership: WireOwnership
    ) {
        var links: Set<String> = []
        var columns: [Int] = []
        var names: Set<String> = []
        if let own, own.change.kind != .delete, plan.takes(.update) {
            for link in own.snapshot.links {
                guard let name = ownership.unsentLink(link.name) else { continue }
                links.insert(link.name)
                names.insert(name)
            }
            for (relationship, keys) in zip(plan.relationships, plan.foreignKeys) where !keys.isEmpty {
                guard relationship.isEmbedded, !ownership.isSent(relationship, of: plan), let row,
                    keys.contains(where: { row[$0] != base?[$0] ?? .null })
                else { continue }
                columns += keys
                names.insert("\(plan.name).\(relationship.name)")
            }
        }
        (self.links, self.columns, self.names) = (links, columns, names.sorted())
    }

    /// Whether there is nothing else to send of a record.
    func isAll(
        of settled: [PushRecord.Settled], _ own: PushRecord.Settled, _ item: PushBatch.Item, _ row: [DatabaseValue],
        _ base: [DatabaseValue]?, _ database: Database
    ) throws -> Bool {
        guard !isEmpty, settled.count == 1, item.departures.isEmpty, let base else { return false }
        let isSame = item.plan.travellingColumns.allSatisfy { row[$0] == base[$0] || columns.contains($0) }
        let hasLinks = own.snapshot.links.contains { !links.contains($0.name) }
        return try isSame && !hasLinks && OutboxWriter(database, item.plan).marks(of: own.change).isEmpty
    }
}

extension PushRecordReader {
    /// The links of a new record to records that the server has not named yet. Two new records that have each other
    /// are in such links: the first of them is created without, and the link stays a change of it.
    func unnamedLinks(of own: PushRecord.Settled) throws -> [OutboxLinkChange] {
        guard own.change.kind == .create else { return [] }
        return try own.snapshot.links.filter { link in
            guard link.isAdded, let destination = destination(ofJoined: link, own.plan),
                let remote = destination.remoteColumn, let key = OutboxRecord.key(link.destination, of: destination),
                let row = try database.valueRows(destination.findSQL, key.values).first
            else { return false }
            return row[remote].isNull
        }
    }

    private func destination(ofJoined link: OutboxLinkChange, _ plan: EntityPlan) -> EntityPlan? {
        plan.relationships.first { relationship in
            guard case .manyToMany = relationship.kind else { return false }
            return plan.linkName(of: relationship) == link.name
        }?.destination.entity.plan
    }
}

extension OutboxSnapshot {
    /// What is confirmed if a part could not be sent: that part stays a change.
    func without(_ unsent: UnsentChanges) -> OutboxSnapshot {
        var sent = self
        sent.leave(links: unsent.links)
        for column in unsent.columns { sent.row?[column] = base?[column] ?? .null }
        return sent
    }
}
