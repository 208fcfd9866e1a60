import GRDB
import LockstepStore

/// Deletes what owners no longer list (Rules.md, R5), and what the server no longer lists if that is asked for (M7).
///
/// After the phases that schedule deletes, and when all of the payload is written: only then is it known what it lists.
/// What was edited locally is decided by its policy first (C3).
struct DeleteUnlisted: MergePhase {
    func run(_ state: MergeState) throws { try Deletion(state).run() }
}

private struct Deletion {
    let state: MergeState
    let transaction: MergeTransaction
    let deletion: StaleRecordDeletion

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
        let (transaction, local) = (state.transaction, state.local)
        deletion = StaleRecordDeletion(
            plans: transaction.plan.entities.map(\.plan), database: transaction.database,
            changes: transaction.changes, recorder: transaction.recorder,
            localChanges: local.map { OutboxChanges(local: $0) } ?? NoLocalChanges(),
            keptLinks: KeptLinks(transaction),
            didDelete: { entity, key in
                try local?.didDelete(entity, key)
                let entity = transaction.plan.entities[entity]
                transaction.record(.deleted, entity, key.fingerprint, key, isListed: false)
            },
            isListed: { entity, key in
                transaction.isListed(key.fingerprint, of: transaction.plan.entities[entity])
            })
    }

    func run() throws {
        if !state.pendingDeletes.isEmpty { try deletion.delete(deleted(amongPending: state.pendingDeletes)) }
        guard let scope = state.scope, try mayDelete(in: scope) else { return }
        if transaction.options.unlisted.isAsked {
            if deletion.allowsDeleting(in: scope) { try deleteAsked(scope) }
            return
        }
        if scope.allowsDeleting, let unlisted = try state.local?.unlistedEdits(in: scope, deletion), !unlisted.isEmpty {
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
                    """
                    the payload is one record instead of a list, so nothing was deleted; set `completeness` to \
                    `.complete` if it is the only record
                    """))
            return false
        }
        if recorder.hasUnreadable(entity) {
            recorder.note(
                MergeNote(
                    .incompletePayload, entity: entity,
                    """
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

    // MARK: A server that is asked for each record

    /// Deletes of what the payload lacks only what the server was asked for and does not have.
    ///
    /// - Throws: ``UnlistedRecords`` to name the records to ask for.
    private func deleteAsked(_ scope: ResolvedScope) throws {
        if let link = scope.link { return try reportUnlistedLinks(link, scope) }
        let edited = try state.local?.unlistedEdits(in: scope, deletion) ?? []
        let unchanged = try deletion.candidates(in: scope)
        switch transaction.options.unlisted {
        case .all: break
        case .none:
            let candidates = try (edited + unchanged).compactMap(candidate)
            if !candidates.isEmpty { throw UnlistedRecords(candidates) }
        case .only(let gone, let note):
            try deletion.deleteUnprotected(deleted(amongEdited: edited.filter { gone.contains($0.key) }))
            try deletion.delete(unchanged.filter { gone.contains($0.key) })
            if let note { transaction.recorder.note(note) }
        }
    }

    private func candidate(_ record: RecordReference) throws -> UnlistedRecords.Candidate? {
        let plan = transaction.root.plan
        guard let row = try transaction.database.valueRows(plan.findSQL, record.key.values).first else { return nil }
        let values = plan.serverKeyColumns.map { row[$0] }
        return UnlistedRecords.Candidate(
            key: record.key, identity: RemoteIdentity(values.map(JSONValue.init(storedScalar:))))
    }

    /// The response to a request for a record does not state whether it is linked.
    private func reportUnlistedLinks(_ link: ScopeLink, _ scope: ResolvedScope) throws {
        guard try deletion.hasUnlistedMembers(of: link, in: scope) else { return }
        transaction.recorder.note(
            MergeNote(
                .unconfirmedDeletion, entity: scope.plan.name,
                "members that the list lacks stay linked, since its pages may have shifted"))
    }
}
