import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

/// The time of a simulation. Whoever sleeps on it passes the time for all.
final class WorldClock: SyncClock {
    private let time = Locked(Date(timeIntervalSince1970: 1_700_000_000))

    var now: Date { time.withLock { $0 } }

    func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
    }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A device's clock, which is wrong by some seconds until it is set. A sleep lasts as long as it would have, whatever
/// the clock shows in the end.
final class DeviceClock: SyncClock {
    private let world: WorldClock
    private let skew: Locked<TimeInterval>

    init(world: WorldClock, skew: TimeInterval) {
        self.world = world
        self.skew = Locked(skew)
    }

    var now: Date { world.now + skew.withLock { $0 } }

    func sleep(until deadline: Date) async throws { try await world.sleep(until: deadline - skew.withLock { $0 }) }

    /// Sets the clock, so that it is wrong by this number of seconds.
    func set(skew seconds: TimeInterval) { skew.withLock { $0 = seconds } }
}
