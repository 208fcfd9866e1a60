import LockstepStore
import LockstepSync

extension Sync {
    /// A sync that never waits by itself for long, and goes by a policy.
    static func simulated(
        store: Store, remote: any Remote, policy: Scenario.Policy, clock: any SyncClock,
        random: @escaping @Sendable () -> Double
    ) throws -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 2), clock: clock, random: random)
    }
}
