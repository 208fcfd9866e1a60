import Foundation
import LockstepStore
import LockstepSystem

/// When the collections are pulled again that have failed to show how the server spells UUIDs (Rules.md, M5).
struct SpellingWaits: Sendable {
    struct Wait {
        let time: StoredWait
        /// How often a collection has failed in a row.
        let failures: Int
        let error: SyncError
    }

    /// Whether all spellings are known. They remain so while the store is open.
    var areKnown = false
    /// By the entity of the records.
    var waits: [String: Wait] = [:]
}

extension SyncEnvironment {
    /// When it may be known how the UUIDs of an entity are spelled, and why not now.
    func waitToLearn(_ plan: EntityPlan) -> (date: Date, error: SyncError) {
        guard let wait = spellings.withLock({ $0.waits[plan.name] }) else {
            // The change was made after the collections were pulled.
            let error = SyncError(
                .network, entity: plan.name, reason: "the records were not pulled yet", remedy: StoredError.remedy)
            return (clock.now, error)
        }
        return (due(wait.time) ?? clock.now, wait.error)
    }

    /// A collection that shows how the UUIDs of an entity are spelled has failed.
    func delayLearning(_ plan: EntityPlan, because error: SyncError) {
        let failures = (spellings.withLock { $0.waits[plan.name]?.failures } ?? 0) + 1
        let seconds = retries.delaySeconds(after: failures, retryAfter: error.retryAfter, random: random())
        let time = wait(seconds: seconds)
        spellings.withLock {
            $0.waits[plan.name] = SpellingWaits.Wait(time: time, failures: failures, error: error)
        }
        diagnostics.send(.retry(entity: plan.name, record: nil, at: time.end, because: error))
    }
}
