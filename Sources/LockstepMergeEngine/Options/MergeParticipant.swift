package import GRDB
package import LockstepTables

/// Participates in the transaction of a merge, to write what must be committed together with the payload or not at all.
///
/// Both functions are called while the outbox does not record changes.
package protocol MergeParticipant: Sendable {
    /// Called before anything is merged.
    ///
    /// - Throws: Any error, which rolls the merge back.
    func willMerge(_ database: Database, changes: RawChanges) throws

    /// Called after everything is merged, before the transaction is committed.
    ///
    /// - Throws: Any error, which rolls the merge back.
    func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws
}

extension MergeParticipant {
    package func willMerge(_ database: Database, changes: RawChanges) throws {}
}
