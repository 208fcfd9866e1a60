import Foundation
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
///   - work: The work, which must end soon after it is cancelled, as all operations of a store and a sync do.
/// - Throws: Errors of the work, such as `CancellationError`. If the system allows no time at all, the work begins
///   cancelled.
@discardableResult
public func withExpiringActivity<Value: Sendable>(
    _ reason: String, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await ExpiringActivity().run(reason, work)
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

    package init() {}

    package func run<Value: Sendable>(
        _ reason: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = DispatchGroup()
        end.enter()
        defer { end.leave() }
        let task = Task { try await work() }
        ask(reason) { isExpired in
            // A thread of the system's: this is how it learns that the work goes on.
            if isExpired { task.cancel() } else { end.wait() }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
