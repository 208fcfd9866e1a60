import LockstepStore

/// What migrations met: a simulation whose devices have nothing pending shows nothing.
package struct MigrationTally: Sendable, CustomStringConvertible {
    var migrations = 0
    /// The pending changes: all, those that were sent without a response, those that are parked.
    var pending = 0
    var inFlight = 0
    var parked = 0
    /// The changes that a conversion settled, and the values that were kept as leftovers.
    var settled = 0
    var leftovers = 0
    /// The times that a version was refused that may not open the file.
    var refused = 0

    package init() {}

    mutating func count(_ check: MigrationCheck) {
        guard check.former != check.version else { return }
        migrations += 1
        pending += check.before.pending.count
        inFlight += check.before.pending.values.count { $0.isUnconfirmed }
        parked += check.before.pending.values.count { $0.parkedStatus != nil }
        settled += check.before.pending.keys.count { check.after.pending[$0] == nil }
        leftovers += check.after.leftovers.count - check.before.leftovers.count
    }

    package static func += (left: inout MigrationTally, right: MigrationTally) {
        left.migrations += right.migrations
        left.pending += right.pending
        left.inFlight += right.inFlight
        left.parked += right.parked
        left.settled += right.settled
        left.leftovers += right.leftovers
        left.refused += right.refused
    }

    package var description: String {
        """
        \(migrations) migrations with \(pending) pending changes: \(inFlight) in flight, \(parked) parked, \
        \(settled) settled, \(leftovers) leftovers; \(refused) openings refused
        """
    }
}
