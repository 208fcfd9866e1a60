import Foundation
import LockstepStore

/// Forgets the local values of deleted records that were kept for too long (Rules.md, M7), before a record gets them.
struct ExpireLocalValues: MergePhase {
    private static let secondsPerDay: TimeInterval = 86_400

    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        guard transaction.plan.entities.contains(where: { !$0.plan.localColumns.isEmpty }) else { return }
        let days = max(0, transaction.options.localValueRetentionDays)
        try LocalValueTable.expire(
            at: transaction.options.now(), keptSeconds: Double(days) * Self.secondsPerDay, transaction.database)
    }
}
