import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

/// The time of a simulation. Whoever sleeps on it passes the time for all.
final class VersionClock: SyncClock {
    private let time = Locked(Date(timeIntervalSince1970: 1_700_000_000))

    var now: Date { time.withLock { $0 } }

    func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
    }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
