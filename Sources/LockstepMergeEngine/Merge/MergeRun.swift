import GRDB
import LockstepTables

/// One merge, inside of its transaction: reads records one by one, and writes them in batches.
///
/// A merge is the phases listed here, in this order; what each requires is in its own comment. What a batch is made of
/// does not show in the result (Rules.md, M11): it only limits the memory.
package final class MergeRun {
    let state: MergeState
    let transaction: MergeTransaction
    let reader: RecordReader
    private let hooks: HookCaller
    /// Run before the first record is read.
    let startPhases: [any MergePhase]
    /// Run for each batch.
    let batchPhases: [any BatchPhase]
    /// Run after the last batch.
    let endPhases: [any MergePhase]
    let links: LinkMerge

    var root: MergeEntity { transaction.root }

    init(
        _ state: MergeState, scope: [ScopeCondition], policies: MergePolicies, functions: any ConflictFunctionCaller
    ) {
        self.state = state
        transaction = state.transaction
        let options = state.transaction.options
        reader = RecordReader(
            state.transaction.staging, recorder: state.transaction, missingKeys: options.missingKeys,
            ownership: options.ownership)
        hooks = HookCaller(transaction: state.transaction, reader: reader)
        links = LinkMerge(state)
        startPhases = [
            NotifyWillMerge(),
            ExpireLocalValues(),
            FindSentMembers(),
            ApplyDuplicateResolutions(),
            FindLocalEdits(policies: policies, functions: functions),
            ResolveScope(conditions: scope),
        ]
        batchPhases = [
            MatchSentMembers(),
            ResolveLinks(),
            SkipRefusedRecords(),
            MatchRows(),
            WriteRows(),
            WriteConflictOutcomes(),
            KeepReceivedVersions(),
            RunReplacements(hooks: hooks),
            WriteMemberships(),
            NoteSpellings(),
            LinkScopeOwner(),
            ReserveIdentities(),
        ]
        endPhases = [
            UnlinkMovedChildren(links: links),
            DeleteOrphans(),
            AdoptIdentities(),
            DeleteByPolicy(),
            DeleteUnlisted(),
            NoteOpenLinkSpellings(),
            AssignDeferredUniqueValues(),
            ReserveRemainingIdentities(),
            ReconcileOutbox(),
            NoteConfirmedRecords(),
            NoteUnknownMembers(isScoped: !scope.isEmpty),
            Report(),
            ForgetValidators(),
            NotifyDidMerge(),
        ]
    }

    /// Runs the merge.
    ///
    /// - Parameter read: Reads the records into the run.
    /// - Returns: A summary of the merge.
    /// - Throws: ``BeginAgain`` if the merge is to be retried with the state's retry hints; any other error ends it.
    func merge(_ read: (MergeRun) throws -> Void) throws -> MergeSummary {
        for phase in startPhases { try phase.run(state) }
        try read(self)
        try flush()
        for phase in endPhases { try phase.run(state) }
        guard let summary = state.summary else { preconditionFailure("The phase Report creates the summary.") }
        return summary
    }

    /// Writes what is staged. After that, the payload's memory is not needed any more.
    func flush() throws {
        let batch = MergeBatch(links: links)
        for phase in batchPhases { try phase.run(batch, in: state) }
    }

    // MARK: Reading records

    /// Reads the next record.
    ///
    /// If it throws a `JSONSyntaxError`, nothing of the record is kept: more bytes may complete it.
    ///
    /// - Parameter mapKey: The key of the record in an object of records.
    func take(_ scanner: inout JSONScanner, index: Int, mapKey: JSONScanner.Text? = nil) throws {
        do {
            let row = try reader.read(&scanner, of: root, origin: Origin(record: Int32(index)), mapKey: mapKey)
            try didStage(row)
            transaction.reportSkipped()
        } catch let error as JSONSyntaxError {
            transaction.staging.removeLast(index)
            transaction.plan.tally?.discard()
            transaction.discardSkipped()
            throw error
        }
    }

    /// Completes a top-level record that is staged.
    func didStage(_ row: Int) throws {
        try hooks.callHooks()
        transaction.plan.tally?.commit()
        guard !state.fill.isEmpty else { return }
        let table = transaction.staging.tables[root.index]
        let cells = table.row(row)
        for (column, cell, relationship) in state.fill where cells[column].kind == .absent {
            // An embedded record is a value, too.
            if let relationship, table.hasLink(of: row, for: relationship) { continue }
            cells[column] = cell
        }
    }

    private var recordsSinceCheck = 0

    /// How many records are read between two checks of the memory that they use.
    private static let recordsBetweenChecks = 256

    /// The staged rows use no more than this, in bytes: enough to match 100,000 records by one scan of the table.
    private static let sizeLimit = 32 * 1024 * 1024

    /// Writes what is staged if it has reached a limit.
    ///
    /// - Returns: Whether it had.
    @discardableResult
    func flushIfFull() throws -> Bool {
        let limit = transaction.options.batchRecordLimit
        recordsSinceCheck += 1
        guard recordsSinceCheck >= min(Self.recordsBetweenChecks, limit) else { return false }
        recordsSinceCheck = 0
        guard transaction.staging.size > Self.sizeLimit || limit < .max else { return false }
        try flush()
        return true
    }
}
