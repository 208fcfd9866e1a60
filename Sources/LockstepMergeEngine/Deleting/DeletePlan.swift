import GRDB
import LockstepEvolution
import LockstepTables

/// Determines what deleting some records cascades to, what must be detached from them first, and in which order they
/// are deleted.
///
/// Nothing is written yet. SQLite does not report the records that a delete cascades to, so they are searched one by
/// one and deleted before the records that they belong to. As a result every delete is counted, no delete is denied by
/// a record that is deleted as well, and no chain exceeds the depth that SQLite allows for triggers
/// (`SQLITE_MAX_TRIGGER_DEPTH`, 1,000).
final class DeletePlan {
    private let links: [[DeleteLink]]
    private let reader: LinkReader
    private let protectedRecords: ProtectedRecords

    /// Records that stay because something denies their delete, with the reason.
    private(set) var denials: [RecordReference: String] = [:]
    /// The records to delete, in the order in which they were found.
    private var scheduled: [RecordReference] = []
    private var isScheduled: Set<RecordReference> = []
    /// The records that must be deleted before a record.
    private var dependents: [RecordReference: [RecordReference]] = [:]
    /// Records that must be deleted; otherwise the delete of the other one is denied.
    private var blockers: [(record: RecordReference, blocker: RecordReference, reason: String)] = []
    private(set) var detachments: [Detachment] = []

    init(links: [[DeleteLink]], reader: LinkReader, protectedRecords: ProtectedRecords) {
        self.links = links
        self.reader = reader
        self.protectedRecords = protectedRecords
    }

    /// The records to delete, in order.
    func make(for records: [RecordReference]) throws -> [RecordReference] {
        repeat {
            scheduled = []
            isScheduled = []
            dependents = [:]
            blockers = []
            detachments = []
            for record in records where denials[record] == nil { schedule(record) }
            var next = 0
            while next < scheduled.count {
                try follow(scheduled[next])
                next += 1
            }
        } while spreadDenials()
        return inOrder()
    }

    private func schedule(_ record: RecordReference) {
        if isScheduled.insert(record).inserted { scheduled.append(record) }
    }

    private func deny(_ record: RecordReference, reason: String) {
        if denials[record] == nil { denials[record] = reason }
    }

    // MARK: Following

    private func follow(_ record: RecordReference) throws {
        for link in links[record.entity] {
            for found in try reader.destinations(of: record, by: link) {
                try follow(record, link: link, into: found)
            }
        }
    }

    private func follow(_ record: RecordReference, link: DeleteLink, into found: LinkReader.Found) throws {
        if found.record == record { return }
        // Everything inside a record is deleted with it, even if the server has not identified it yet.
        let reachedServer = found.reachedServer || link.isEmbedded
        let isProtected = try protectedRecords.protects(found.record, reachedServer: reachedServer)
        switch link.rule {
        case .deny:
            let reason = "the rule of “\(link.relationship.name)” denies the delete"
            if isProtected { return deny(record, reason: reason) }
            blockers.append((record, found.record, reason))
            dependents[record, default: []].append(found.record)
        case .cascade where !isProtected:
            if let reason = denials[found.record] { return deny(record, reason: reason) }
            dependents[record, default: []].append(found.record)
            schedule(found.record)
        case .cascade, .nullify:
            if !isProtected { return }
            if link.isConstraint {
                // SQLite would not commit a dangling foreign key.
                if link.rule == .cascade {
                    deny(record, reason: "a record of “\(link.relationship.name)” that must stay requires it")
                }
                return
            }
            let keepsKey = try protectedRecords.isListed(found.record) && !protectedRecords.isChanged(found.record)
            detachments.append(Detachment(link, deleted: record, kept: found.record, keepsKey: keepsKey))
        case .none: return
        }
    }

    // MARK: Denials

    /// Keeps the records that a kept record needs: their deletes would be denied, too.
    ///
    /// - Returns: Whether a record that was to be deleted is kept.
    private func spreadDenials() -> Bool {
        var reasons: [RecordReference: String] = denials.filter { isScheduled.contains($0.key) }
        for (record, blocker, reason) in blockers where !isScheduled.contains(blocker) { reasons[record] = reason }
        if reasons.isEmpty { return false }
        var owners: [RecordReference: [RecordReference]] = [:]
        for (record, others) in dependents { for other in others { owners[other, default: []].append(record) } }
        var waiting = Array(reasons)
        while let (record, reason) = waiting.popLast() {
            deny(record, reason: reason)
            for owner in owners[record] ?? [] where reasons[owner] == nil && isScheduled.contains(owner) {
                reasons[owner] = reason
                waiting.append((owner, reason))
            }
        }
        return true
    }

    // MARK: Order

    /// Each record after those that must be deleted before it. Chains may be long, so this is not recursive.
    private func inOrder() -> [RecordReference] {
        if dependents.isEmpty { return scheduled }
        var order: [RecordReference] = []
        order.reserveCapacity(scheduled.count)
        var visited: Set<RecordReference> = []
        for start in scheduled where visited.insert(start).inserted {
            var stack: [(record: RecordReference, next: Int)] = [(start, 0)]
            while let (record, next) = stack.last {
                let others = dependents[record] ?? []
                guard next < others.count else {
                    order.append(record)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                if isScheduled.contains(others[next]), visited.insert(others[next]).inserted {
                    stack.append((others[next], 0))
                }
            }
        }
        return order
    }
}
