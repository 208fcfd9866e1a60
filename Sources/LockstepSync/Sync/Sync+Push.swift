import Foundation
import GRDB
public import LockstepStore

extension Sync {
    /// Sends the local changes that the server has not confirmed yet, in their order, until none is left that could go.
    ///
    /// Where the server cannot be reached or cannot answer, it is tried again after a delay, as often as
    /// ``RetrySchedule/attemptsPerPush`` says; what is left then stays in the outbox with its time, for the next push
    /// or for ``run(_:)``. What the server will never take is parked, and what does not depend on it goes on (rule P8).
    ///
    /// Cancelling it loses nothing: what was sent and not answered is sent again the next time, and takes effect once.
    ///
    /// - Returns: What was sent, and what is left.
    /// - Throws: ``/LockstepHTTP/SyncError`` with the code `network`, `timeout` or `unavailable` where the server could
    ///   not be reached however often it was tried, and `unauthorized`; `CancellationError`; `StoreError`.
    @discardableResult
    public func push() async throws -> PushSummary { try await push(selecting: nil) }

    /// Sends the local changes of one entity, and what they need on the server before them.
    ///
    /// - Throws: As ``push()``.
    @discardableResult
    public func push<Object: Model>(_ type: Object.Type) async throws -> PushSummary {
        let name = type.entity.name
        return try await push { plan, _ in plan.name == name }
    }

    func push(selecting selection: (@Sendable (EntityPlan, RecordKey) -> Bool)?) async throws -> PushSummary {
        try await exclusively {
            defer { board.show(.idle) }
            let drain = PushDrain(environment, selection: selection)
            return try await drain.run(attempts: retries.attemptsPerPush)
        }
    }
}
