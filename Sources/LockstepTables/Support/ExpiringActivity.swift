package import Foundation
import LockstepSystem

#if canImport(Darwin)
    import Darwin
#endif

/// Runs work that the system should not suspend in the middle, such as a push when the app enters the background.
///
/// ```swift
/// try await withExpiringActivity("Sending changes") { try await sync.push() }
/// ```
///
/// On iOS, tvOS, watchOS and visionOS, also in an extension, the process is not suspended until the work has ended, for
/// as long as the system allows (`ProcessInfo.performExpiringActivity`). When the time is over, the work is cancelled:
/// an unfinished transaction is rolled back, and what was not sent is sent next time. On other systems, processes are
/// not suspended, and this only runs the work.
///
/// - Parameters:
///   - reason: A text for the system's log.
///   - work: The work, which must end soon after it is cancelled, as all operations of a store and a sync do. The
///     process is not suspended before that, but after three seconds at the latest.
/// - Throws: Errors of the work, such as `CancellationError`. If the system allows no time at all, the work begins
///   cancelled.
@discardableResult
public func withExpiringActivity<Value: Sendable>(
    _ reason: String, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await ExpiringActivity().run(reason, work: work)
}

/// Work for which the system is asked for time.
package struct ExpiringActivity: Sendable {
    /// Asks the system for time. It calls the function with `false`, on a thread of its own, and does not suspend the
    /// process until the function returns. When the time is over, or if there is none, it calls it with `true`.
    package var ask: @Sendable (_ reason: String, _ activity: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void =
        { reason, activity in
            #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: activity)
            #endif
        }

    /// How long the system waits for the end of cancelled work. A process that is suspended while its work holds a lock
    /// on the store's file is terminated. So is one that does not let itself be suspended within about five seconds; to
    /// roll back a transaction takes far less.
    package static let cancelledSeconds = 3.0

    /// Waits on the current thread until work has ended, or for this time.
    package var wait: @Sendable (_ end: DispatchGroup, _ seconds: Double) -> Void = { end, seconds in
        _ = end.wait(timeout: .now() + seconds)
    }

    package init() {}

    package func run<Value: Sendable>(
        _ reason: String, work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = DispatchGroup()
        end.enter()
        let task = Task {
            defer { end.leave() }
            return try await work()
        }
        ask(reason) { [wait] isExpired in
            // A thread of the system's: this is how it learns that the work goes on.
            guard isExpired else { return end.wait() }
            task.cancel()
            wait(end, Self.cancelledSeconds)
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
