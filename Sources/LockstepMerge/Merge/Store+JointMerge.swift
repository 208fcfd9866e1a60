package import Foundation
package import GRDB
package import LockstepStore
import LockstepSystem

/// A part of a transaction that several merges share.
package enum JointMergePart: Sendable {
    /// One record, or several, to be merged into a model's entity.
    case merge(Data, any Model.Type, MergeOptions)
    case write(@Sendable (Database, RawChanges) throws -> Void)
}

extension Store {
    /// Merges payloads, and writes, in one transaction, in order. If one part fails, nothing is changed.
    ///
    /// - Returns: The summary of each merge.
    /// - Throws: As the method that merges one payload. A payload that repeats a key is not merged jointly.
    package func mergeJointly(_ parts: [JointMergePart]) async throws -> [MergeSummary] {
        let cancellation = MergeCancellation { [self] in try checkSuspension() }
        let steps = try parts.map { try step(of: $0, cancellation: cancellation) }
        do {
            return try await withTaskCancellationHandler {
                try await writeRaw("merging", suppressesOutbox: true) { database, changes in
                    try steps.compactMap { try $0(database, changes) }
                }
            } onCancel: {
                cancellation.request()
            }
        } catch let error as StoreError where error.code == .interrupted && Task.isCancelled {
            throw CancellationError()
        }
    }

    private func step(
        of part: JointMergePart, cancellation: MergeCancellation
    ) throws -> @Sendable (Database, RawChanges) throws -> MergeSummary? {
        switch part {
        case .write(let body):
            { database, changes in
                try body(database, changes)
                return nil
            }
        case .merge(let json, let type, let options):
            try step(json, as: type, options: options, cancellation: cancellation)
        }
    }

    private func step<Object: Model>(
        _ json: Data, as type: Object.Type, options: MergeOptions, cancellation: MergeCancellation
    ) throws -> @Sendable (Database, RawChanges) throws -> MergeSummary? {
        let merge = try PreparedMerge(
            self, root: type.entity.plan, scope: [], options: options, cancellation: cancellation)
        return { database, changes in
            try merge.run(database, changes: changes) { run, cancellation in
                let watch = PayloadWatch(cancellation)
                _ = try PayloadBody.data(json).read(
                    options.payload, windowSize: options.windowByteCount, into: PayloadIntake(run, watch: watch),
                    watch: watch)
            }
        }
    }
}

/// A merge with everything that is known before its transaction.
struct PreparedMerge: Sendable {
    private let root: EntityPlan
    private let plans: SchemaPlan
    private let options: MergeOptions
    private let scope: [ScopeCondition]
    private let hooks: [String: EntityHooks]
    private let policies: MergePolicies
    private let uniqueValues: UniqueValuePolicies
    private let localValues: LocalValueRetention
    private let maker: RepresentationMaker
    private let cancellation: MergeCancellation
    /// The retry hints of an attempt for the next one.
    private let retryHints = Locked(MergeRetryHints())

    init(
        _ store: Store, root: EntityPlan, scope: [ScopeCondition], options: MergeOptions,
        cancellation: MergeCancellation
    ) throws {
        (self.root, self.scope, self.options, self.cancellation) = (root, scope, options, cancellation)
        (plans, maker) = (store.plans, store.representationMaker)
        hooks = store.hooks(options)
        policies = try store.conflictPolicies(options, for: root)
        uniqueValues = store.uniqueValuePolicies(options)
        localValues = store.localValueRetention
    }

    /// Runs in a transaction.
    ///
    /// - Parameter stage: Gives the records to the run.
    /// - Throws: ``BeginAgain`` if the transaction is to be begun again.
    func run(
        _ database: Database, changes: RawChanges, stage: (MergeRun, MergeCancellation) throws -> Void
    ) throws -> MergeSummary {
        let transaction = try MergeTransaction(
            root, plans: plans, in: database, changes: changes, options: options, hooks: hooks,
            uniqueValues: uniqueValues, localValues: localValues
        ) { [cancellation] in try cancellation.check() }
        // If this throws, the connection is broken and the transaction has failed anyway.
        defer { try? transaction.pageCache.restore() }
        let state = MergeState(transaction, retryHints: retryHints.withLock { $0 })
        let run = MergeRun(state, scope: scope, policies: policies, maker: maker)
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
