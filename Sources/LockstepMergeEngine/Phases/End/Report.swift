import GRDB
import LockstepTables

/// Creates the summary, and passes it to the hooks of the merged entities (Rules.md, M14).
///
/// After everything that writes records.
struct Report: MergePhase {
    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        for (entity, registry) in transaction.registries.enumerated() {
            registry.report(to: transaction.recorder, entity: entity)
        }
        let summary = transaction.recorder.summary(
            isDryRun: transaction.options.isDryRun, trace: transaction.trace())
        state.summary = summary
        try callDidMerge(summary, in: transaction)
    }

    private func callDidMerge(_ summary: MergeSummary, in transaction: MergeTransaction) throws {
        for entity in transaction.plan.entities {
            guard let didMerge = entity.hooks?.didMerge,
                summary.entities.contains(where: { $0.entity == entity.plan.name })
            else { continue }
            try transaction.changes.suppressOutbox(transaction.database)
            do { try didMerge(summary, transaction.database) } catch let error as CancellationError {
                throw error
            } catch {
                throw MergeError(
                    .hook, entity: entity.plan.name, reason: "didMerge threw \(type(of: error))",
                    remedy: "See `underlyingError`. The merge was rolled back.", underlyingError: error)
            }
        }
    }
}

extension MergeTransaction {
    fileprivate func trace() -> MergeTrace? {
        guard let tally = plan.tally, let changeTrace else { return nil }
        let found = plan.entities.map { $0.routes(tally) }
        let changes = changeTrace.changes { [self] name, key in
            guard let entity = plan.entities.first(where: { $0.plan.name == name }) else { return false }
            return outcome(key.fingerprint, of: entity) == .updated
        }
        return MergeTrace(
            unknownKeys: found.flatMap(\.unknown), routes: found.flatMap(\.routes),
            convertedStrings: plan.entities.flatMap(\.convertedStrings), changes: changes)
    }
}
