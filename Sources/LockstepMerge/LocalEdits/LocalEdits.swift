import GRDB
import LockstepStore

/// What was changed here and the server has not confirmed, as one merge sees it (Rules.md, C1 to C3).
///
/// Where the outbox is empty there is none, and a merge costs what it does without: one look.
final class LocalEdits {
    let transaction: MergeTransaction
    let policies: MergePolicies
    let converter: ConflictRowConverter
    /// For each entity: asked once.
    private var entities: [EntityEdits??]
    private var lists: [ObjectIdentifier: ListEdits?] = [:]
    let links: [OutboxLink]
    /// The names under which changes are pending that no entity claims, by table.
    let unclaimed: [String: [String]]
    /// Records that the function of a policy wants deleted.
    private var unwanted: [RecordReference] = []
    /// Lists that are here as the server has them.
    private var sameLists: Set<SameList> = []

    private struct SameList: Hashable {
        let owner: KeyFingerprint
        let relationship: ObjectIdentifier
    }

    /// Looks whether anything is pending.
    static func find(_ transaction: MergeTransaction, _ policies: MergePolicies, _ maker: RepresentationMaker) throws -> LocalEdits? {
        try OutboxTable.isEmpty(transaction.database) ? nil : LocalEdits(transaction, policies, maker)
    }

    private init(_ transaction: MergeTransaction, _ policies: MergePolicies, _ maker: RepresentationMaker) throws {
        self.transaction = transaction
        self.policies = policies
        converter = ConflictRowConverter(transaction: transaction, maker: maker)
        let plans = transaction.plan.entities.map(\.plan)
        entities = plans.map { _ in .none }
        links = OutboxLink.links(of: plans)
        unclaimed = try OutboxClaims(plans).unclaimedNamesByTable(transaction.database)
    }

    /// What is pending of an entity's records; `nil` where nothing is.
    func edits(of entity: MergeEntity) throws -> EntityEdits? {
        if let known = entities[entity.place] { return known }
        let edits = try EntityEdits(
            entity, policies.policy(for: entity.plan), links: links, unclaimed: unclaimed[entity.plan.table] ?? [],
            transaction)
        entities[entity.place] = .some(edits)
        return edits
    }

    /// What is pending of a relationship's links; `nil` where nothing is.
    func edits(of relationship: MergeRelationship, _ entity: MergeEntity) throws -> ListEdits? {
        let key = ObjectIdentifier(relationship)
        if let known = lists[key] { return known }
        let edits = try ListEdits(relationship, entity, links, transaction)
        lists[key] = .some(edits)
        return edits
    }

    /// Whether the order of an owner's lists stays as it is here.
    func keepsOrder(of owner: LinkOwner) throws -> Bool {
        guard let pending = try counting(owner) else { return false }
        return pending.change == .create || pending.isUnclaimed || !pending.marks.isEmpty
    }

    /// Whether what a nested record embeds, and is written down nowhere, stays as it is here: because it was changed in
    /// it, or in a record that this one is nested in.
    ///
    /// - Parameter isNoted: Whether the records have rows of their own, so that one in an owner that was made here
    ///   counts by those.
    func keepsEmbedded(in owner: LinkOwner, isNoted: Bool = false) throws -> Bool {
        var owner = owner
        while true {
            if let pending = try counting(owner) {
                if pending.isUnclaimed || pending.marks.contains(.embedded) { return true }
                if pending.change == .create, !isNoted { return true }
            }
            let origin = owner.table.origins[owner.row]
            guard !owner.entity.plan.travels, origin.isNested else { return false }
            owner = LinkOwner(table: transaction.staging.tables[Int(origin.ownerTable)], row: Int(origin.ownerRow))
        }
    }

    /// What is pending of an owner, where it counts against what the server says.
    private func counting(_ owner: LinkOwner) throws -> PendingEdit? {
        guard let edits = try edits(of: owner.entity) else { return nil }
        guard let pending = try edits.pending(of: owner.key), pending.change != .delete else { return nil }
        if case .serverWins = edits.kind, !pending.isUnclaimed { return nil }
        return pending
    }

    /// Takes note of whether a list is here as the server has it.
    func noteList(of owner: LinkOwner, _ relationship: MergeRelationship, isSame: Bool) {
        let list = SameList(owner: owner.fingerprint, relationship: ObjectIdentifier(relationship))
        if isSame { sameLists.insert(list) } else { sameLists.remove(list) }
    }

    func hasSameList(_ owner: KeyFingerprint, _ relationship: MergeRelationship) -> Bool {
        sameLists.contains(SameList(owner: owner, relationship: ObjectIdentifier(relationship)))
    }

    /// Takes note of a record that the function of a policy wants deleted, at the end of the merge.
    func delete(_ key: [Cell], _ entity: MergeEntity) {
        unwanted.append(RecordReference(entity: entity.place, key: RecordKey(key.map(\.databaseValue))))
    }

    // MARK: The end of the merge

    /// Lets the rows of the outbox go where nothing differs any more from what the server has.
    func reconcile() throws {
        for case let edits?? in entities { try edits.reconcile(hasSameList) }
        for case let edits?? in entities { try edits.tellOwners() }
    }

    /// Deletes what is not wanted any more, as if it was deleted by hand: it goes out.
    func deleteUnwanted() throws {
        guard !unwanted.isEmpty else { return }
        try transaction.changes.noticed(transaction.database) {
            for record in unwanted { try deleteUnwanted(record, transaction.plan.entities[record.entity]) }
        }
        unwanted = []
    }

    private func deleteUnwanted(_ record: RecordReference, _ entity: MergeEntity) throws {
        do {
            try transaction.delete(record.key.values.map { Cell($0, arena: transaction.staging.arena) }, entity)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT && transaction.database.isInsideTransaction
        {
            transaction.recorder.note(
                MergeNote(
                    .keptRecord, entity: entity.plan.name, record: record.key.text,
                    "a conflict policy wants it deleted, and it was kept: a rule of the database denies the delete"))
        }
    }
}
