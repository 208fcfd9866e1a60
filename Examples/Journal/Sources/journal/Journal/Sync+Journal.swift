import Foundation
import LockstepStore
import LockstepSync

extension Sync {
    /// A journal's sync with its server.
    ///
    /// Where an entry was edited on two devices, what only one of them has changed counts from that one. Of what both have
    /// changed, the newer edit counts.
    convenience init(journal store: Store, server: URL) {
        self.init(
            store: store, remote: FirebaseRemote(server),
            conflicts: ConflictPolicies(.newestWins(by: "updatedAt")),
            // Who types `journal sync` again is the schedule.
            retries: RetrySchedule(attemptsPerPush: 1))
    }

    /// Sends what was changed here, then fetches what was changed elsewhere; what was deleted there is deleted here.
    func exchange() async throws -> (pushed: PushSummary, pulled: PullSummary) {
        let pushed = try await push()
        return (pushed, try await pull(options: MergeOptions(records: .all)))
    }
}
