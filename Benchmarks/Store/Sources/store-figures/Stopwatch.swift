import CStoreFloor

/// What a piece of work took, in seconds, for one of the things that it was done to.
struct Time: Sendable {
    let wall: Double
    /// Of every thread of the process.
    let processor: Double
}

/// A moment to measure from.
struct Clock {
    private let wall = floor_wall_nanoseconds()
    private let processor = floor_processor_nanoseconds()

    /// What was taken since, for one of `count` things.
    func time(count: Int = 1) -> Time {
        Time(
            wall: Double(floor_wall_nanoseconds() - wall) / 1e9 / Double(count),
            processor: Double(floor_processor_nanoseconds() - processor) / 1e9 / Double(count))
    }
}

/// Measures `work`, which does something `count` times.
func timed(count: Int = 1, _ work: () throws -> Void) rethrows -> Time {
    let start = Clock()
    try work()
    return start.time(count: count)
}
