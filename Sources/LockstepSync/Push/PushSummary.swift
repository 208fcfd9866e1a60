public import Foundation

/// The result of a push.
public struct PushSummary: Sendable {
    /// The number of requests that the server has taken, by operation.
    public internal(set) var created = 0
    public internal(set) var updated = 0
    public internal(set) var deleted = 0
    /// The changes that the server rejects permanently (rule P8). They stay in the outbox, to be retried or discarded.
    public internal(set) var parked: [PendingChange] = []
    /// The number of changes still to be sent, without parked ones: they wait for their time, or for a parked one.
    public internal(set) var remaining = 0
    /// When the first of them is retried.
    public internal(set) var retryAt: Date?
    /// When something can be sent again, and why not now; changes that wait for a parked one do not count.
    var wait: (date: Date, error: SyncError)?

    /// The number of requests that the server has taken.
    package var sent: Int { created + updated + deleted }

    mutating func count(_ kind: OutgoingChange.Kind) {
        switch kind {
        case .create: created += 1
        case .update: updated += 1
        case .delete: deleted += 1
        }
    }
}

extension PushSummary: CustomStringConvertible {
    /// `3 created, 1 updated, 1 parked, 2 waiting`
    @_spi(Requirements) public var description: String {
        let parts = [
            (created, "created"), (updated, "updated"), (deleted, "deleted"), (parked.count, "parked"),
            (remaining, "waiting"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing to push" : parts.joined(separator: ", ")
    }
}
