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
        let merge = try prepared(type, scope: [], options: options, cancellation: cancellation)
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
