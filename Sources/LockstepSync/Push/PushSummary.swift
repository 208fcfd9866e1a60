public import Foundation

/// What a push did.
public struct PushSummary: Sendable {
    /// How many requests the server has taken, by what they did.
    public internal(set) var created = 0
    public internal(set) var updated = 0
    public internal(set) var deleted = 0
    /// The changes that the server will never take (rule P8). They stay in the outbox, to be retried or discarded.
    public internal(set) var parked: [PendingChange] = []
    /// How many changes are still to be sent, parked ones not counted: they wait for their time, or for a parked one.
    public internal(set) var remaining = 0
    /// When the first of them is tried again.
    public internal(set) var retryAt: Date?
    /// When there is something that could go; what waits for a parked one does not count.
    var nextAttempt: Date?
    /// Why that waits.
    var nextProblem: SyncError?

    /// How many requests the server has taken.
    public var sent: Int { created + updated + deleted }

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
    public var description: String {
        let parts = [
            (created, "created"), (updated, "updated"), (deleted, "deleted"), (parked.count, "parked"),
            (remaining, "waiting"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing to push" : parts.joined(separator: ", ")
    }
}
