import Foundation
import LockstepStore
import LockstepSync

extension Sync {
    /// Creates the sync of a journal with its server.
    ///
    /// If an entry was edited on two devices, values that only one of them has changed are merged. If both have changed
    /// a value, the newer edit wins.
    convenience init(journal store: Store, server: URL) {
        self.init(
            store: store, remote: FirebaseRemote(server),
            conflicts: ConflictPolicies(.newestWins(by: "updatedAt")),
            // The user retries by running `journal sync` again.
            retries: RetrySchedule(attemptsPerPush: 1))
    }

    /// Pushes local changes, then pulls the server's, including deletes.
    func exchange() async throws -> (pushed: PushSummary, pulled: PullSummary) {
        let pushed = try await push()
        return (pushed, try await pull(options: MergeOptions(records: .all)))
    }
}
