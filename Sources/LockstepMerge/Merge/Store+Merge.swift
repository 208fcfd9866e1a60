public import Foundation
public import LockstepStore
import LockstepSystem

extension Store {
    /// Merges a server's JSON: records that are not here are inserted, others updated where they differ.
    ///
    /// All of it is one transaction: either everything is merged, or nothing is changed. It runs off the caller's
    /// actor, one merge after another, and readers are not blocked by it. Contexts see one change. Merging the same
    /// again writes nothing. The rules are in <doc:Merging>.
    ///
    /// ```swift
    /// let summary = try await store.merge(json, into: Entry.self)
    /// print(summary.inserted, summary.updated, summary.skipped)
    /// ```
    ///
    /// - Parameters:
    ///   - json: The payload, UTF-8.
    ///   - type: The model whose records it lists.
    ///   - scope: What the server was asked for.
    ///   - options: How it is merged.
    /// - Returns: What was done.
    /// - Throws: `MergeError` where the payload is no JSON, or not of the shape that `options` says, or has an invalid
    ///   record and is to be refused then; `StoreError` where the store cannot be written; `CancellationError` where
    ///   the task is cancelled. In each case nothing is changed.
    @discardableResult
    public func merge<Object: Model>(
        _ json: Data, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await merge(.data(json), into: type, scope, options)
    }

    /// Runs one merge in its transaction.
    ///
    /// - Parameter stage: Gives the run its records.
    func merging<Object: Model>(
        _ type: Object.Type, _ scope: MergeScope<Object>, _ options: MergeOptions,
        _ stage: @escaping @Sendable (MergeRun, MergeCancellation) throws -> Void
    ) async throws -> MergeSummary {
        let cancellation = MergeCancellation()
        let lessons = Locked(MergeLessons())
        let hooks = hooks(options)
        let policies = try conflictPolicies(options, for: type.entity.plan)
        let uniqueValues = uniqueValuePolicies(options)
        do {
            return try await withTaskCancellationHandler {
                try await writeRaw("merging", isQuiet: true) { [plans, representationMaker] database, changes in
                    let transaction = try MergeTransaction(
                        type.entity.plan, plans, database, changes, options, hooks: hooks, uniqueValues: uniqueValues
                    ) { try cancellation.check() }
                    // If the connection is broken, so is this, and the transaction has failed anyway.
                    defer { try? transaction.pageCache.restore() }
                    let state = MergeState(transaction, lessons: lessons.withLock { $0 })
                    let run = MergeRun(
                        state, scope: scope.conditions, policies: policies, maker: representationMaker)
                    let summary: MergeSummary
                    do { summary = try run.merge { try stage($0, cancellation) } } catch let error as BeginAgain {
                        lessons.withLock { [learned = state.lessons] in $0 = learned }
                        throw error
                    }
                    // Thrown, so that the transaction is rolled back.
                    if options.isDryRun { throw DryRun(summary: summary) }
                    return summary
                }
            } onCancel: {
                cancellation.request()
            }
        } catch let dryRun as DryRun {
            return dryRun.summary
        } catch let error as StoreError where error.code == .interrupted && Task.isCancelled {
            // SQLite says no more than that a statement was interrupted.
            throw CancellationError()
        } catch {
            throw MergeError.payload(error, type.entity.name)
        }
    }
}

/// What a merge that is only tried would have done.
private struct DryRun: Error {
    let summary: MergeSummary
}
