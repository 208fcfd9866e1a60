import GRDB
import LockstepEvolution
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
        _ own: PushRecord.Settled?, plan: EntityPlan, row: [DatabaseValue]?, base: [DatabaseValue]?,
        ownership: WireOwnership
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
                    keys.contains(where: { !row[$0].isIdentical(to: base?[$0] ?? .null) })
                else { continue }
                columns += keys
                names.insert("\(plan.name).\(relationship.name)")
            }
        }
        (self.links, self.columns, self.names) = (links, columns, names.sorted())
    }

    /// Whether there is nothing else to send of a record.
    func isAll(
        of settled: [PushRecord.Settled], own: PushRecord.Settled, item: PushBatch.Item, row: [DatabaseValue],
        base: [DatabaseValue]?, in database: Database
    ) throws -> Bool {
        guard !isEmpty, settled.count == 1, item.departures.isEmpty, let base else { return false }
        let isSame = item.plan.travellingColumns.allSatisfy {
            row[$0].isIdentical(to: base[$0]) || columns.contains($0)
        }
        let hasLinks = own.snapshot.links.contains { !links.contains($0.name) }
        return try isSame && !hasLinks && OutboxWriter(database, plan: item.plan).marks(of: own.change).isEmpty
    }
}

extension PushRecordReader {
    /// The links of a record that follow when the other end exists on the server: those to records that are created
    /// later, and, of a new record, those to records that the server has not named yet.
    func laterLinks(of own: PushRecord.Settled, item: PushBatch.Item) throws -> [OutboxLinkChange] {
        try own.snapshot.links.filter { link in
            guard link.isAdded, let destination = destination(of: link, plan: own.plan),
                let key = OutboxRecord.key(link.destination, of: destination)
            else { return false }
            if item.later.contains(RecordID(destination, key: key)) { return true }
            guard own.change.kind == .create, let remote = destination.remoteColumn,
                let row = try database.valueRows(destination.findSQL, with: key.values).first
            else { return false }
            return row[remote].isNull
        }
    }

    private func destination(of link: OutboxLinkChange, plan: EntityPlan) -> EntityPlan? {
        plan.relationships.first { plan.linkName(of: $0) == link.name }?.destination
    }

    /// Leaves out the keys of records that are created later: these links stay changes.
    func leaveLaterLinks(in settled: inout [PushRecord.Settled], item: PushBatch.Item) throws {
        if item.later.isEmpty { return }
        for (index, change) in settled.enumerated() {
            guard let row = change.snapshot.row else { continue }
            var later: [Int] = []
            for (relationship, columns) in zip(change.plan.relationships, change.plan.foreignKeys) {
                guard !columns.isEmpty, ownership.isSentByKeyHolder(relationship) else { continue }
                let recordID = RecordID(relationship.destination, key: RecordKey(columns.map { row[$0] }))
                if item.later.contains(recordID) { later += columns }
            }
            if later.isEmpty { continue }
            var snapshot = change.snapshot
            snapshot.leave(columns: later)
            settled[index] = PushRecord.Settled(plan: change.plan, snapshot: snapshot)
        }
    }
}

extension EntityPlan {
    /// The name of a required link that the JSON of a new record lacks, because the server has not named the other
    /// record; `nil` if there is none.
    func missingLink(in json: JSONValue, ownership: WireOwnership) -> String? {
        relationships.first { relationship in
            guard case .toOne(_, position: _, isRequired: true) = relationship.kind,
                ownership.isSentByKeyHolder(relationship), case .id(let paths, _) = relationship.wire
            else { return false }
            return paths.contains { json.value(at: $0) == nil }
        }?.name
    }
}

extension OutboxSnapshot {
    /// Returns the snapshot to confirm if a part could not be sent: that part stays a change.
    func without(_ unsent: UnsentChanges) -> OutboxSnapshot {
        var sent = self
        sent.leave(links: unsent.links)
        sent.leave(columns: unsent.columns)
        return sent
    }
}
