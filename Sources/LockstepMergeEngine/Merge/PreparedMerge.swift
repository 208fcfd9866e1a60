package import GRDB
import LockstepSystem
package import LockstepTables

/// What a store has set for its merges, by which their options are completed.
package struct MergeSettings: Sendable {
    let hooks: [String: EntityHooks]
    let policies: MergePolicies
    let uniqueValues: UniqueValuePolicies
    let localValues: LocalValueRetention
    let conflictRetention: ConflictRetention
    let functions: any ConflictFunctionCaller

    package init(
        hooks: [String: EntityHooks], policies: MergePolicies, uniqueValues: UniqueValuePolicies,
        localValues: LocalValueRetention, conflictRetention: ConflictRetention, functions: any ConflictFunctionCaller
    ) {
        (self.hooks, self.policies, self.uniqueValues) = (hooks, policies, uniqueValues)
        (self.localValues, self.conflictRetention, self.functions) = (localValues, conflictRetention, functions)
    }
}

/// A merge with everything that is known before its transaction.
package struct PreparedMerge: Sendable {
    private let root: EntityPlan
    private let plans: SchemaPlan
    private let options: MergeOptions
    private let scope: [ScopeCondition]
    private let settings: MergeSettings
    private let cancellation: MergeCancellation
    /// The retry hints of an attempt for the next one.
    private let retryHints = Locked(MergeRetryHints())

    package init(
        _ root: EntityPlan, of plans: SchemaPlan, scope: [ScopeCondition], options: MergeOptions,
        settings: MergeSettings, cancellation: MergeCancellation
    ) {
        (self.root, self.plans, self.scope, self.options) = (root, plans, scope, options)
        (self.settings, self.cancellation) = (settings, cancellation)
    }

    /// Runs in a transaction.
    ///
    /// - Parameter stage: Gives the records to the run.
    /// - Throws: ``BeginAgain`` if the transaction is to be begun again.
    package func run(
        _ database: Database, changes: RawChanges, stage: (MergeRun, MergeCancellation) throws -> Void
    ) throws -> MergeSummary {
        let transaction = try MergeTransaction(
            root, plans: plans, in: database, changes: changes, options: options, hooks: settings.hooks,
            uniqueValues: settings.uniqueValues, localValues: settings.localValues,
            conflictRetention: settings.conflictRetention
        ) { [cancellation] in try cancellation.check() }
        // If this throws, the connection is broken and the transaction has failed anyway.
        defer { try? transaction.pageCache.restore() }
        let state = MergeState(transaction, retryHints: retryHints.withLock { $0 })
        let run = MergeRun(state, scope: scope, policies: settings.policies, functions: settings.functions)
        do {
            return try run.merge {
                try stage($0, cancellation)
                try $0.deleteRecords(options.deletedIdentities, cancellation: cancellation)
            }
        } catch let error as BeginAgain {
            retryHints.withLock { [learned = state.retryHints] in $0 = learned }
            throw error
        }
    }
}
