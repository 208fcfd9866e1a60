public import Foundation
public import LockstepStore

extension Store {
    /// Merges a server's JSON: records that are not in the store are inserted, others are updated if they differ.
    ///
    /// A merge is one transaction: either everything is merged, or nothing is changed. It runs off the caller's actor,
    /// one merge at a time, and does not block readers. Contexts see a single change. Merging the same payload again
    /// writes nothing. The rules are in <doc:Merging>.
    ///
    /// ```swift
    /// let summary = try await store.merge(json, into: Entry.self)
    /// print(summary.inserted, summary.updated, summary.skipped)
    /// ```
    ///
    /// - Parameters:
    ///   - json: The payload, encoded as UTF-8.
    ///   - type: The model whose records it lists.
    ///   - scope: The records that the server was asked for.
    ///   - options: How the payload is merged.
    /// - Returns: A summary of the merge.
    /// - Throws: `MergeError` if the payload is not JSON, does not have the shape that `options` states, or has an
    ///   invalid record and `options` aborts the merge for it; `StoreError` if the store cannot be written;
    ///   `CancellationError` if the task is canceled. In each case nothing is changed.
    @discardableResult
    public func merge<Object: Model>(
        _ json: Data, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await merge(.data(json), into: type, scope: scope, options: options)
    }

    /// Runs a merge in its transaction.
    ///
    /// - Parameters:
    ///   - willBegin: Called in the transaction, which may be begun again.
    ///   - stage: Gives the records to the run.
    func merging<Object: Model>(
        _ type: Object.Type, scope: MergeScope<Object>, options: MergeOptions,
        willBegin: @escaping @Sendable () -> Void = {},
        stage: @escaping @Sendable (MergeRun, MergeCancellation) throws -> Void
    ) async throws -> MergeSummary {
        let cancellation = MergeCancellation { [self] in try checkSuspension() }
        let merge = try prepared(type, scope: scope.conditions, options: options, cancellation: cancellation)
        do {
            return try await withTaskCancellationHandler {
                try await writeRaw("merging", suppressesOutbox: true) { database, changes in
                    willBegin()
                    let summary = try merge.run(database, changes: changes, stage: stage)
                    // Thrown to roll the transaction back.
                    if options.isDryRun { throw DryRun(summaries: [summary]) }
                    return summary
                }
            } onCancel: {
                cancellation.request()
            }
        } catch let dryRun as DryRun {
            return dryRun.summaries[0]
        } catch let error as StoreError where error.code == .interrupted && Task.isCancelled {
            // SQLite only reports that a statement was interrupted.
            throw CancellationError()
        } catch {
            throw MergeError.payload(error, of: type.entity.name)
        }
    }
}

extension Store {
    func prepared<Object: Model>(
        _ type: Object.Type, scope: [ScopeCondition], options: MergeOptions, cancellation: MergeCancellation
    ) throws -> PreparedMerge {
        let settings = MergeSettings(
            hooks: hooks(options), policies: try conflictPolicies(options, for: type.entity.plan),
            uniqueValues: uniqueValuePolicies(options), localValues: localValueRetention,
            conflictRetention: conflictRetention, functions: RepresentationFunctionCaller(maker: representationMaker))
        return PreparedMerge(
            type.entity.plan, of: plans, scope: scope, options: options, settings: settings, cancellation: cancellation)
    }
}

/// The result of a dry run.
struct DryRun: Error {
    let summaries: [MergeSummary]
}
