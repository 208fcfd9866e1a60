package import Foundation
package import GRDB
package import LockstepStore
import LockstepSystem

/// A part of a transaction that several merges share.
package enum JointMergePart: Sendable {
    /// One record, or several, to be merged into a model's entity.
    case merge(Data, any Model.Type, MergeOptions)
    /// The same, of what is selected in the transaction; `nil` for nothing.
    case selection(any Model.Type, MergeOptions, @Sendable (Database) throws -> MergeSelection?)
    case write(@Sendable (Database, RawChanges) throws -> Void)
}

/// What a part merges, and what it deletes afterwards.
package struct MergeSelection: Sendable {
    /// One record, or several; `nil` for none.
    package var json: Data?
    /// Records that the server has deleted.
    package var deleted: [RemoteIdentity] = []
    /// The local keys of records that the server has withdrawn from this device.
    package var withdrawn: [RecordKey] = []

    package init(json: Data? = nil) { self.json = json }
}

extension Store {
    /// Merges payloads, and writes, in one transaction, in order. If one part fails, nothing is changed.
    ///
    /// - Parameter isDryRun: Whether everything is rolled back at the end.
    /// - Returns: The summary of each merge.
    /// - Throws: As the method that merges one payload. A payload that repeats a key is not merged jointly.
    package func mergeJointly(_ parts: [JointMergePart], isDryRun: Bool = false) async throws -> [MergeSummary] {
        let cancellation = MergeCancellation { [self] in try checkSuspension() }
        let steps = try parts.map { try step(of: $0, cancellation: cancellation) }
        do {
            return try await withTaskCancellationHandler {
                try await writeRaw("merging", suppressesOutbox: true) { database, changes in
                    let summaries = try steps.compactMap { try $0(database, changes) }
                    if isDryRun { throw DryRun(summaries: summaries) }
                    return summaries
                }
            } onCancel: {
                cancellation.request()
            }
        } catch let dryRun as DryRun {
            return dryRun.summaries
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
            try step(as: type, options: options, cancellation: cancellation) { _ in MergeSelection(json: json) }
        case .selection(let type, let options, let select):
            try step(as: type, options: options, cancellation: cancellation, select: select)
        }
    }

    private func step<Object: Model>(
        as type: Object.Type, options: MergeOptions, cancellation: MergeCancellation,
        select: @escaping @Sendable (Database) throws -> MergeSelection?
    ) throws -> @Sendable (Database, RawChanges) throws -> MergeSummary? {
        let merge = try prepared(type, scope: [], options: options, cancellation: cancellation)
        return { database, changes in
            guard let selection = try select(database) else { return nil }
            return try merge.run(database, changes: changes) { run, cancellation in
                let watch = PayloadWatch(cancellation)
                if let json = selection.json {
                    try PayloadBody.data(json).read(
                        options.payload, windowSize: options.windowByteCount, into: PayloadIntake(run, watch: watch),
                        watch: watch)
                }
                if !selection.deleted.isEmpty {
                    try run.deleteRecords(selection.deleted, cancellation: cancellation)
                }
                if !selection.withdrawn.isEmpty { run.withdraw(selection.withdrawn) }
            }
        }
    }
}
