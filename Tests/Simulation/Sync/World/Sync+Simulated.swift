import LockstepStore
import LockstepSync

extension Sync {
    /// A sync that gives up soon, and goes by a policy.
    static func simulated(
        store: Store, remote: any Remote, policy: Scenario.Policy,
        maximumConcurrentPushes: Int, clock: any SyncClock,
        random: @escaping @Sendable () -> Double
    ) -> Sync {
        let conflicts: ConflictPolicy =
            switch policy {
            case .localChangesWin: .localChangesWin
            case .serverWins: .serverWins
            case .newestWins: .newestWins(by: "timestamp")
            }
        return Sync(
            store: store, remote: remote, conflicts: ConflictPolicies(conflicts),
            retries: RetrySchedule(attemptsPerPush: 2), maximumConcurrentPushes: maximumConcurrentPushes, clock: clock,
            random: random)
    }
}
