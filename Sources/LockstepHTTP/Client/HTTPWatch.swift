import Foundation

/// The clock that measures timeouts.
struct HTTPWatch: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    let sleep: @Sendable (_ deadline: ContinuousClock.Instant) async throws -> Void

    /// The system's monotonic clock, which does not depend on the wall clock. It waits in real time, because a timeout
    /// is a limit of real time; tests use another clock.
    static let system = HTTPWatch(
        now: { .now }, sleep: { try await Task.sleep(until: $0, clock: .continuous) })
}

extension HTTPWatch {
    /// Uses another clock.
    init(_ clock: any SyncClock) {
        let (start, startDate) = (ContinuousClock.now, clock.now)
        self.init(
            now: { start + .seconds(clock.now.timeIntervalSince(startDate)) },
            sleep: { deadline in
                let seconds = (deadline - start) / .seconds(1)
                try await clock.sleep(until: startDate.addingTimeInterval(seconds))
            })
    }
}
