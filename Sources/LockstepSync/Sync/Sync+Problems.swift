import Foundation
public import LockstepStore

extension Sync {
    /// Returns the server's description of a change that it has rejected, with the names of the schema for the members
    /// that it names.
    ///
    /// ```swift
    /// for change in try await store.outbox.pending() {
    ///     guard let problem = sync.problem(of: change) else { continue }
    ///     print(change.record, problem.message ?? "", problem.attributes)  // ["title": ["can't be blank"]]
    /// }
    /// ```
    ///
    /// - Parameter change: A change of this store.
    /// - Returns: `nil` if the change is not parked, was parked without a response, or the response says nothing that
    ///   the remote can read. ``/LockstepStore/PendingChange/parked`` has the body.
    public func problem(of change: PendingChange) -> ServerProblem? {
        guard let parked = change.parked, parked.status != 0,
            let plan = store.plans.first(where: { $0.name == change.entity })
        else { return nil }
        return remote.problem(in: parked.body, status: parked.status, of: RemoteEntity(plan))?.naming(plan)
    }
}
