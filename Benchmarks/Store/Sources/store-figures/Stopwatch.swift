import CStoreFloor

/// What a piece of work took, in seconds, for one of the things that it was done to.
struct Time: Sendable {
    let wall: Double
    /// Of every thread of the process.
    let processor: Double
}

/// Measures `work`, which does something `count` times.
func timed(count: Int = 1, _ work: () throws -> Void) rethrows -> Time {
    let wall = floor_wall_nanoseconds()
    let processor = floor_processor_nanoseconds()
    try work()
    return Time(
        wall: Double(floor_wall_nanoseconds() - wall) / 1e9 / Double(count),
        processor: Double(floor_processor_nanoseconds() - processor) / 1e9 / Double(count))
}
