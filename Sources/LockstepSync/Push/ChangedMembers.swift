import GRDB
import LockstepEvolution
import LockstepStore

/// Which embedded records of a record were changed locally, and what was changed of them (Rules.md, R10).
struct ChangedMembers {
    private struct Change {
        let snapshot: OutboxSnapshot
        let marks: OutboxMarks
    }

    private struct List: Hashable {
        let owner: RecordID
        let relationship: String
    }

    private let changes: [RecordID: Change]
    /// The lists that contained something when it was changed.
    private let lists: Set<List>
    private let ownership: WireOwnership

    /// - Parameter settled: The changes that a request covers; those of the record itself are left out.
    init(
        _ settled: [PushRecord.Settled], of item: PushBatch.Item, ownership: WireOwnership,
        marks: (PushRecord.Settled) throws -> OutboxMarks
    ) throws {
        var changes: [RecordID: Change] = [:]
        var lists: Set<List> = []
        for settled in settled where settled.plan !== item.plan || settled.change.key != item.key {
            if settled.change.kind != .delete {
                changes[settled.recordID] = Change(snapshot: settled.snapshot, marks: try marks(settled))
            }
            guard let base = settled.snapshot.base else { continue }
            for row in [base] + settled.plan.positions(sent: settled.snapshot.unconfirmed, base: base) {
                guard let owner = ownership.owner(of: settled.plan, row: row) else { continue }
                for relationship in owner.plan.relationships where relationship.holds(settled.plan, in: row) {
                    lists.insert(List(owner: RecordID(owner.plan, key: owner.key), relationship: relationship.name))
                }
            }
        }
        (self.changes, self.lists, self.ownership) = (changes, lists, ownership)
    }

    // MARK: Which

    /// Whether a record that an owner embeds was created or changed, or has left it.
    func isAny(in relationship: RelationshipDescription, of owner: EmbeddedRecord?) -> Bool {
        guard let owner else { return false }
        if lists.contains(List(owner: RecordID(owner.plan, key: owner.key), relationship: relationship.name)) {
            return true
        }
        let index = owner.plan.relationship(named: relationship.name)
        return owner.members.first { $0.relationship == index }?.records.contains(where: has) ?? false
    }

    /// Whether a record or one embedded in it was created or changed.
    func has(_ record: EmbeddedRecord) -> Bool {
        changes[record.recordID] != nil
            || record.plan.relationships.contains { isAny(in: $0, of: record) }
    }

    // MARK: What

    /// The paths of the values in a record's JSON that differ from what the server has, with those that identify the
    /// record; `nil` for all of it.
    func paths(of record: EmbeddedRecord) -> [[String]]? {
        let plan = record.plan
        let identity = plan.serverKeyPaths
        guard let change = changes[RecordID(plan, key: record.key)] else {
            let inside = plan.relationships.filter { isAny(in: $0, of: record) }
            return identity + inside.compactMap(\.wire.ownPath)
        }
        guard change.snapshot.change.kind == .update, let row = change.snapshot.row, let base = change.snapshot.base,
            change.marks.isDisjoint(with: [.embedded, .deletion]),
            // A record that the server has not named is new to it.
            plan.remoteColumn.map({ !row[$0].isNull }) ?? true
        else { return nil }
        return identity
            + paths(
                of: plan, in: row, base: base, sent: Set(change.snapshot.unconfirmed.keys),
                links: change.snapshot.links,
                marks: change.marks
            ) { isAny(in: $0, of: record) }
    }

    /// Returns the changes of an embedded record besides its columns.
    func marks(of record: EmbeddedRecord) -> OutboxMarks {
        changes[record.recordID]?.marks ?? []
    }

    /// The paths of the values in a record's JSON that differ from what the server has.
    ///
    /// - Parameters:
    ///   - base: What the server has; `nil` if it has nothing.
    ///   - sent: The columns that were sent without a response: the server may have other values for them.
    ///   - isAnyInside: Whether something was changed in what a relationship embeds.
    func paths(
        of plan: EntityPlan, in row: [DatabaseValue], base: [DatabaseValue]?, sent: Set<Int> = [],
        links: [OutboxLinkChange], marks: OutboxMarks, isAnyInside: (RelationshipDescription) -> Bool
    ) -> [[String]] {
        var paths: [[String]] = []
        var mayDiffer = plan.columns.indices.map { column in
            base.map { !row[column].isIdentical(to: $0[column]) } ?? true || sent.contains(column)
        }
        // With one of them from here and another one from elsewhere, the server would have what nobody wrote.
        for group in plan.together where group.contains(where: { mayDiffer[$0] }) {
            for column in group { mayDiffer[column] = true }
        }
        for (column, description) in plan.columns.enumerated() where mayDiffer[column] {
            if let path = description.wire?.path { paths.append(path) }
        }
        let changedLinks = Set(links.map(\.name))
        for (relationship, columns) in zip(plan.relationships, plan.foreignKeys) {
            let isOther = columns.contains { mayDiffer[$0] }
            if case .id(let ids, _) = relationship.wire {
                if isOther { paths += ids }
            } else if let path = relationship.wire.ownPath, ownership.isSent(relationship, of: plan),
                isOther || isChanged(relationship, of: plan, changedLinks: changedLinks, marks: marks)
                    || isAnyInside(relationship)
            {
                paths.append(path)
            }
        }
        return paths
    }

    /// Whether the members of a relationship may have changed, or their order.
    private func isChanged(
        _ relationship: RelationshipDescription, of plan: EntityPlan, changedLinks: Set<String>, marks: OutboxMarks
    ) -> Bool {
        // The position in an ordered list may be all that has changed.
        if case .manyToMany(let join) = relationship.kind, join.position != nil { return true }
        if let name = plan.linkName(of: relationship), changedLinks.contains(name) { return true }
        if relationship.isEmbedded, marks.contains(.embedded) { return true }
        return marks.contains(.order) && relationship.isOrdered
    }
}
