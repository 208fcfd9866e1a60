import Foundation

/// The time by which a request is found to take too long.
struct HTTPWatch: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    let sleep: @Sendable (_ deadline: ContinuousClock.Instant) async throws -> Void

    /// The system's, which goes on evenly whatever the clock on the wall is set to.
    static let system = HTTPWatch(
        now: { .now }, sleep: { try await Task.sleep(until: $0, clock: .continuous) })
}

extension HTTPWatch {
    /// Another clock's.
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
