import CFloorBase

/// What a piece of work took, in seconds, for one of the things that it was done to.
public struct Time: Sendable {
    public let wall: Double
    /// Of every thread of the process.
    public let processor: Double

    public init(wall: Double, processor: Double) {
        self.wall = wall
        self.processor = processor
    }

    /// What as much work `count` times over would take.
    public func times(_ count: Double) -> Time { Time(wall: wall * count, processor: processor * count) }
}

/// A moment to measure from.
public struct Clock: Sendable {
    private let wall = floor_wall_nanoseconds()
    private let processor = floor_processor_nanoseconds()

    public init() {}

    /// What was taken since, for one of `count` things.
    public func time(count: Int = 1) -> Time {
        Time(
            wall: Double(floor_wall_nanoseconds() - wall) / 1e9 / Double(count),
            processor: Double(floor_processor_nanoseconds() - processor) / 1e9 / Double(count))
    }
}

/// Measures `work`, which does something `count` times and waits meanwhile.
public func timed(count: Int = 1, _ work: () async throws -> Void) async rethrows -> Time {
    let start = Clock()
    try await work()
    return start.time(count: count)
}

/// Measures `work`, which does something `count` times.
public func timed(count: Int = 1, _ work: () throws -> Void) rethrows -> Time {
    let start = Clock()
    try work()
    return start.time(count: count)
}
