public import Foundation

/// The time, and waiting. It replaces the system's clock, so that tests can control it.
public protocol SyncClock: Sendable {
    /// The time now.
    var now: Date { get }

    /// Waits until a date.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(until deadline: Date) async throws
}

/// The system's clock, for apps: it waits in real time. Tests use another clock.
public struct SystemClock: SyncClock {
    public init() {}

    @_spi(Requirements) public var now: Date { Date() }

    /// The longest sleep in seconds, 30 days. Longer ones, which only a wrong clock makes, end then.
    private static let maximumSeconds: TimeInterval = 30 * 86_400

    @_spi(Requirements) public func sleep(until deadline: Date) async throws {
        let seconds = min(deadline.timeIntervalSinceNow, Self.maximumSeconds)
        if seconds > 0 { try await Task.sleep(for: .seconds(seconds)) } else { try Task.checkCancellation() }
    }
}
