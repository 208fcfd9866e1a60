import GRDB
import LockstepTables

/// Deletes what owners no longer list (Rules.md, R5), and what the server no longer lists if that is asked for (M7).
///
/// After the phases that schedule deletes, and when all of the payload is written: only then is it known what it lists.
/// The policy of records that were edited locally is applied first (C3).
struct DeleteUnlisted: MergePhase {
    func run(_ state: MergeState) throws { try Deletion(state).run() }
}

private struct Deletion {
    let state: MergeState
    let transaction: MergeTransaction
    let deletion: StaleRecordDeletion

    init(_ state: MergeState) throws {
        self.state = state
        transaction = state.transaction
        let (transaction, local) = (state.transaction, state.local)
        let withdrawn = Set(state.withdrawn)
        let forgetsConflicts = try !withdrawn.isEmpty && ConflictTable.hasRows(transaction.database)
        deletion = StaleRecordDeletion(
            plans: transaction.plan.schema, database: transaction.database,
            changes: transaction.changes, recorder: transaction.recorder,
            localChanges: local.map { OutboxChanges(local: $0) } ?? NoLocalChanges(),
            keptLinks: KeptLinks(transaction) { state.replacedTargets.contains($0) },
            keepsLocalValuesAt: transaction.localValues.days > 0 ? transaction.now() : nil,
            willDelete: { try local?.willDelete($0) },
            didDelete: { entity, key in
                let isWithdrawn = withdrawn.contains(RecordReference(entity: entity, key: key))
                try local?.didDelete(entity, key: key, isWithdrawn: isWithdrawn)
                let entity = transaction.plan.entities[entity]
                // The user may no longer read its values. The same applies to what is deleted with it.
                if forgetsConflicts {
                    try ConflictTable.forget(key, of: entity.plan, in: transaction.database)
                }
                transaction.record(.deleted, of: entity, fingerprint: key.fingerprint, key: key, isListed: false)
            },
            isListed: { entity, key in
                let entity = transaction.plan.entities[entity]
                return transaction.isListed(key.fingerprint, of: entity) || transaction.isHeld(key, of: entity)
            })
    }

    func run() throws {
        if !state.pendingDeletes.isEmpty { try deletion.delete(deleted(amongPending: state.pendingDeletes)) }
        if !state.withdrawn.isEmpty { try deletion.delete(state.withdrawn) }
        guard let scope = state.scope, try mayDelete(in: scope) else { return }
        switch transaction.options.unlisted {
        case .all: try deleteAll(in: scope)
        case .unlessDoubtful(let doubt): try deleteAll(in: scope, unless: doubt)
        case .only(let gone, let note): try delete(in: scope, note: note) { gone.contains($0) }
        case .unlessConfirmed(let gone, let now, let note):
            // Also what was confirmed after the list was read.
            let confirmed = try ConfirmedTable.records(of: scope.plan, at: now, in: transaction.database)
            try delete(in: scope, note: note) { gone.contains($0) || !confirmed.contains(scope.plan.recordText($0)) }
        }
    }

    private func deleteAll(in scope: ResolvedScope) throws {
        if scope.allowsDeleting, let unlisted = try state.local?.unlistedEdits(in: scope, deletion: deletion),
            !unlisted.isEmpty
        {
            try deletion.deleteUnprotected(deleted(amongEdited: unlisted))
        }
        if try deletion.run(scope) > 0, let link = scope.link { transaction.recordOwnerUpdate(of: link) }
    }

    /// Whether the payload is a list of what the server has.
    private func mayDelete(in scope: ResolvedScope) throws -> Bool {
        let (options, recorder) = (transaction.options, transaction.recorder)
        let entity = transaction.root.plan.name
        guard options.records.contains(.delete) else {
            // If the scope is unknown, so is what it should have filled in.
            scope.obstacles.filter { $0.code == .unresolvedScope }.map(\.withoutDeleting).forEach(recorder.note)
            return false
        }
        if options.namesDeletions { return false }
        if state.isOneRecord, options.completeness == .automatic {
            recorder.note(
                MergeNote(
                    .incompletePayload, entity: entity,
                    text: """
                        the payload is one record instead of a list, so nothing was deleted; set `completeness` to \
                        `.complete` if it is the only record
                        """))
            return false
        }
        if recorder.hasUnreadable(entity) {
            recorder.note(
                MergeNote(
                    .incompletePayload, entity: entity,
                    text: """
                        the identity of a record cannot be read, so it is unknown which records are listed: nothing was \
                        deleted
                        """))
            return false
        }
        return true
    }

    // MARK: Local edits

    /// The records among those that owners no longer list which are to be deleted. One that the payload lists elsewhere
    /// was not deleted on the server; the deletion keeps it.
    private func deleted(amongPending records: [RecordReference]) throws -> [RecordReference] {
        guard let local = state.local else { return records }
        var deleted: [RecordReference] = []
        for record in records {
            let isListed = transaction.isListed(
                record.key.fingerprint, of: transaction.plan.entities[record.entity])
            if isListed { continue }
            if try local.resolveServerDelete(of: record) == .delete { deleted.append(record) }
        }
        return deleted
    }

    /// The records among those that were edited locally which are to be deleted, by the policy.
    private func deleted(amongEdited records: [RecordReference]) throws -> [RecordReference] {
        guard let local = state.local else { return records }
        var deleted: [RecordReference] = []
        for record in records {
            if try local.resolveServerDelete(of: record) == .delete { deleted.append(record) }
        }
        return deleted
    }

    // MARK: A server that is asked for records

    /// - Throws: ``UnlistedRecords`` to name the records to ask for.
    private func deleteAll(in scope: ResolvedScope, unless doubt: ListDoubt) throws {
        guard scope.link == nil || doubt.hasShiftingPages else { return try deleteAll(in: scope) }
        guard deletion.allowsDeleting(in: scope) else { return }
        if let link = scope.link { return try reportUnlistedLinks(link, in: scope) }
        // If the server wins, what was edited is among the candidates, too.
        let edited = try state.local?.unlistedEdits(in: scope, deletion: deletion) ?? []
        let isEdited = Set(edited)
        let missing = try edited + deletion.candidates(in: scope).filter { !isEdited.contains($0) }
        if missing.isEmpty { return }
        try ConfirmedTable.endFuture(doubt.now, in: transaction.database)
        let recent = try ConfirmedTable.records(of: scope.plan, at: doubt.now, in: transaction.database)
        let isConfirmed = { recent.contains(scope.plan.recordText($0)) }
        let keys = missing.map(\.key)
        let confirmed = recent.isEmpty ? [] : keys.filter(isConfirmed)
        if let reason = try wholeListDoubt(missing, in: scope, doubt: doubt) {
            let others = confirmed.isEmpty ? keys : keys.filter { !isConfirmed($0) }
            throw UnlistedRecords(confirmed: confirmed, others: others, reason: reason)
        }
        if !confirmed.isEmpty { throw UnlistedRecords(confirmed: confirmed, others: [], reason: .confirmed) }
        try deleteAll(in: scope)
    }

    /// Why the list is doubtful about all records that it lacks; `nil` if it is not.
    private func wholeListDoubt(
        _ missing: [RecordReference], in scope: ResolvedScope, doubt: ListDoubt
    ) throws -> UnlistedRecords.Reason? {
        if doubt.hasShiftingPages { return .pages }
        // Without what was never there to be listed: new records of the list, and local changes that must stay.
        let known =
            try missing.count
            + deletion.listedCount(in: scope) {
                transaction.outcome($0.fingerprint, of: transaction.root) != .inserted
            }
        guard Double(missing.count) > doubt.shareLimit * Double(known) else { return nil }
        return .share(missing: missing.count, known: known)
    }

    /// Deletes some of what the payload lacks, after the server was asked.
    private func delete(in scope: ResolvedScope, note: MergeNote?, where isDeleted: (RecordKey) -> Bool) throws {
        guard deletion.allowsDeleting(in: scope) else { return }
        let edited = try state.local?.unlistedEdits(in: scope, deletion: deletion) ?? []
        try deletion.deleteUnprotected(deleted(amongEdited: edited.filter { isDeleted($0.key) }))
        // What the policies have just kept is not among them.
        try deletion.delete(deletion.candidates(in: scope).filter { isDeleted($0.key) })
        if let note { transaction.recorder.note(note) }
    }

    /// The response to a request for a record does not state whether it is linked.
    private func reportUnlistedLinks(_ link: ScopeLink, in scope: ResolvedScope) throws {
        guard try deletion.hasUnlistedMembers(of: link, in: scope) else { return }
        transaction.recorder.note(
            MergeNote(
                .unconfirmedDeletion, entity: scope.plan.name,
                text: "members that the list lacks stay linked, since its pages may have shifted"))
    }
}

extension MergeTransaction {
    /// Whether a feed has a record for this device: a record that it belongs to may be deleted only here, and then the
    /// server does not delete this one (Rules.md, H3).
    fileprivate func isHeld(_ key: RecordKey, of entity: MergeEntity) -> Bool {
        guard options.isOfFeed else { return false }
        // What cannot be read is not deleted. The next statement fails as well, and with it the merge.
        do {
            return try ScopeTable.row(of: key, in: entity.plan, database: database).map { !$0.isWithdrawn } ?? false
        } catch { return true }
    }
}
