import GRDB
import LockstepTables

/// The local changes that the server has not confirmed, during one merge (Rules.md, C1 to C3).
///
/// If the outbox is empty there is no instance, and the only cost for a merge is this check.
final class LocalEdits {
    let transaction: MergeTransaction
    let policies: MergePolicies
    let functions: any ConflictFunctionCaller
    /// For each entity: looked up once.
    private var entities: [EntityEdits??]
    private var lists: [ObjectIdentifier: ListEdits?] = [:]
    let links: [OutboxLinkRoute]
    /// The names under which changes are pending that no entity claims, by table.
    let unclaimed: [String: [String]]
    /// Records that a conflict function wants deleted.
    private var unwanted: [RecordReference] = []
    /// What is lost if records are deleted that were edited locally.
    var lostEdits: [RecordReference: [ConflictTable.Loss]] = [:]
    /// Lists that are the same locally as on the server.
    private var sameLists: Set<SameList> = []

    private struct SameList: Hashable {
        let owner: KeyFingerprint
        let relationship: ObjectIdentifier
    }

    /// Returns the local changes, or `nil` if nothing is pending.
    static func find(_ transaction: MergeTransaction, policies: MergePolicies, functions: any ConflictFunctionCaller)
        throws
        -> LocalEdits?
    {
        if try OutboxTable.isEmpty(transaction.database) { return nil }
        return try LocalEdits(transaction, policies: policies, functions: functions)
    }

    private init(_ transaction: MergeTransaction, policies: MergePolicies, functions: any ConflictFunctionCaller) throws
    {
        self.transaction = transaction
        self.policies = policies
        self.functions = functions
        let plans = transaction.plan.schema
        entities = plans.map { _ in .none }
        links = OutboxLinkRoute.links(of: plans)
        unclaimed = try OutboxClaims(plans).unclaimedNamesByTable(transaction.database)
    }

    /// The pending changes of an entity's records; `nil` if there are none.
    func edits(of entity: MergeEntity) throws -> EntityEdits? {
        if let known = entities[entity.index] { return known }
        let edits = try EntityEdits(
            entity, policy: policies.policy(for: entity.plan), links: links,
            unclaimed: unclaimed[entity.plan.table] ?? [],
            in: transaction)
        entities[entity.index] = .some(edits)
        return edits
    }

    /// The pending changes of a relationship's links; `nil` if there are none.
    func edits(of relationship: MergeRelationship, entity: MergeEntity) throws -> ListEdits? {
        let key = ObjectIdentifier(relationship)
        if let known = lists[key] { return known }
        let edits = try ListEdits(relationship, entity: entity, links: links, in: transaction)
        lists[key] = .some(edits)
        return edits
    }

    /// Whether the local order of an owner's lists is kept.
    func keepsOrder(of owner: LinkOwner) throws -> Bool {
        guard let pending = try counting(owner) else { return false }
        return pending.change == .create || pending.isUnclaimed || !pending.marks.isEmpty
    }

    /// Whether what a nested record embeds, without pending changes of its own, keeps its local values: because it was
    /// changed in the record, or in one that this is nested in.
    ///
    /// - Parameter areTracked: Whether the records have pending changes of their own. Those decide about the records
    ///   inside an owner that was created locally.
    func keepsEmbedded(in owner: LinkOwner, areTracked: Bool = false) throws -> Bool {
        var owner = owner
        while true {
            if let pending = try counting(owner) {
                if pending.isUnclaimed || pending.marks.contains(.embedded) { return true }
                if pending.change == .create, !areTracked { return true }
            }
            let origin = owner.table.origins[owner.row]
            guard !owner.entity.plan.travels, origin.isNested else { return false }
            owner = LinkOwner(table: transaction.staging.tables[Int(origin.ownerTable)], row: Int(origin.ownerRow))
        }
    }

    /// The pending change of an owner, if it overrides the server's values.
    private func counting(_ owner: LinkOwner) throws -> PendingEdit? {
        guard let edits = try edits(of: owner.entity) else { return nil }
        guard let pending = try edits.pending(of: owner.key), pending.change != .delete else { return nil }
        if case .serverWins = edits.kind, !pending.isUnclaimed { return nil }
        return pending
    }

    /// Registers whether a list is the same locally as on the server.
    func recordList(of owner: LinkOwner, for relationship: MergeRelationship, isSame: Bool) {
        let list = SameList(owner: owner.fingerprint, relationship: ObjectIdentifier(relationship))
        if isSame { sameLists.insert(list) } else { sameLists.remove(list) }
    }

    func hasSameList(_ owner: KeyFingerprint, for relationship: MergeRelationship) -> Bool {
        sameLists.contains(SameList(owner: owner, relationship: ObjectIdentifier(relationship)))
    }

    /// Registers a record that a conflict function wants deleted, to delete it at the end of the merge.
    func delete(_ key: [Cell], of entity: MergeEntity) {
        unwanted.append(RecordReference(entity: entity.index, key: RecordKey(key.map(\.databaseValue))))
    }

    // MARK: The end of the merge

    /// Removes the pending changes of records that no longer differ from the server's.
    func reconcile() throws {
        // An owner keeps its change as long as something in it has one, at any depth.
        var mayFreeOwners = true
        while mayFreeOwners {
            mayFreeOwners = false
            for case let edits?? in entities {
                let hasRemoved = try edits.reconcile(hasSameList)
                if hasRemoved, edits.entity.plan.travelsInside { mayFreeOwners = true }
            }
        }
        for case let edits?? in entities { try edits.markOwnersChanged() }
    }

    /// Deletes the unwanted records as if they were deleted by the app: the deletes are sent.
    func deleteUnwanted() throws {
        guard !unwanted.isEmpty else { return }
        try transaction.changes.recordingChanges(transaction.database) {
            for record in unwanted { try deleteUnwanted(record, of: transaction.plan.entities[record.entity]) }
        }
        unwanted = []
    }

    private func deleteUnwanted(_ record: RecordReference, of entity: MergeEntity) throws {
        do {
            try transaction.delete(record.key.values.map { Cell($0, arena: transaction.staging.arena) }, of: entity)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT && transaction.database.isInsideTransaction
        {
            transaction.recorder.note(
                MergeNote(
                    .keptRecord, entity: entity.plan.name, record: record.key.text,
                    text: "a conflict policy deletes it, but it was kept: a rule of the database denies the delete"))
        }
    }
}
