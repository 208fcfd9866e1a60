package import LockstepStore

extension Store {
    /// Deletes records that were deleted on the server, in one transaction, as a merge does: the deletes are not sent,
    /// they cascade by the delete rules, and records with pending changes are kept unless the policy states otherwise
    /// (Rules.md, C3).
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identities: The records' identities on the server. Those that are not in the store are ignored.
    ///   - options: `conflicts`, `participants`, `isDryRun` and `absentAt` are used.
    /// - Returns: A summary of the merge. A record that is to be created on the server again counts as unchanged.
    /// - Throws: `StoreError` if the store cannot be written; `MergeError` if a policy cannot decide.
    @discardableResult
    package func applyServerDeletes<Object: Model>(
        of type: Object.Type, identities: [RemoteIdentity], options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        var options = options
        // Records that are not named stay, since the identities are not a list of all records.
        options.records = []
        options.deletedIdentities = identities
        return try await merging(type, scope: .all, options: options) { _, _ in }
    }
}
