import LockstepStore

/// What may be deleted of the records in scope that a payload does not list (Rules.md, M7).
package enum UnlistedDeletion: Sendable {
    /// All of them.
    case all
    /// None: where there are any, the merge is rolled back and throws ``UnlistedRecords``.
    case none
    /// Those that the server was asked for and does not have.
    ///
    /// - Parameters:
    ///   - gone: Their local keys.
    ///   - note: What is to be said of the others.
    case only(gone: Set<RecordKey>, note: MergeNote?)

    /// Whether the server is asked for each of them.
    package var isAsked: Bool { if case .all = self { false } else { true } }
}

/// The records that a list in pages lacks: each is to be asked for before it is deleted. A record that moved to a page
/// which was read already is on none of them, and is there all the same.
package struct UnlistedRecords: Error {
    package struct Candidate: Sendable {
        /// The local key.
        package let key: RecordKey
        /// What the server knows the record by.
        package let identity: RemoteIdentity
    }

    package let candidates: [Candidate]

    package init(_ candidates: [Candidate]) { self.candidates = candidates }
}

extension MergeRun {
    /// Deletes of what the payload lacks only what the server was asked for, or tells what is to be asked for.
    ///
    /// - Throws: ``UnlistedRecords``.
    func sweepAsked(_ scope: ResolvedScope) throws {
        if let link = scope.link { return try noteLinks(link, scope) }
        let edited = try local?.unlistedEdits(in: scope) ?? []
        let unchanged = try sweeper.candidates(in: scope)
        switch options.unlisted {
        case .all: break
        case .none:
            let candidates = try (edited + unchanged).compactMap(candidate)
            if !candidates.isEmpty { throw UnlistedRecords(candidates) }
        case .only(let gone, let note):
            try sweeper.deleteUnprotected(
                edited.filter { record in try gone.contains(record.key) && local?.isGone(record) ?? true })
            try sweeper.delete(unchanged.filter { gone.contains($0.key) })
            if let note { recorder.note(note) }
        }
    }

    private func candidate(_ record: RecordReference) throws -> UnlistedRecords.Candidate? {
        let plan = root.plan
        guard let row = try database.valueRows(plan.findSQL, record.key.values).first else { return nil }
        let values = (plan.remoteColumn.map { [$0] } ?? plan.keyColumns).map { row[$0] }
        return UnlistedRecords.Candidate(
            key: record.key, identity: RemoteIdentity(values.map(JSONValue.init(storedScalar:))))
    }

    /// The address of a record does not say whether it is linked.
    private func noteLinks(_ link: ScopeLink, _ scope: ResolvedScope) throws {
        guard try sweeper.hasUnlistedMembers(of: link, in: scope) else { return }
        recorder.note(
            MergeNote(
                .unconfirmedDeletion, entity: scope.plan.name,
                "members that the list lacks stay linked: it came in pages, which may have shifted"))
    }
}
