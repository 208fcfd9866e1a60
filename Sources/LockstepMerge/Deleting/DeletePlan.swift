import GRDB
import LockstepStore

/// Works out what deleting some records takes along, what must be detached from them first, and in which order they go.
///
/// Nothing is written yet. The records that a delete would set off are found one by one, because SQLite does not tell
/// them, and are deleted before those that they belong to: so every delete is counted, none is denied by a record that
/// goes too, and no chain is longer than SQLite lets triggers go (`SQLITE_MAX_TRIGGER_DEPTH`, 1,000).
final class DeletePlan {
    private let links: [[DeleteLink]]
    private let reader: LinkReader
    private let sweepGuard: SweepGuard

    /// Records that are kept because something denies their delete, with what does.
    private(set) var denials: [RecordReference: String] = [:]
    /// What goes, in the order in which it was found.
    private var doomed: [RecordReference] = []
    private var isDoomed: Set<RecordReference> = []
    /// What must go before a record does.
    private var dependents: [RecordReference: [RecordReference]] = [:]
    /// Records that must go, or the delete of the other one is denied.
    private var blockers: [(record: RecordReference, blocker: RecordReference, reason: String)] = []
    private(set) var detachments: [Detachment] = []

    init(links: [[DeleteLink]], reader: LinkReader, sweepGuard: SweepGuard) {
        self.links = links
        self.reader = reader
        self.sweepGuard = sweepGuard
    }

    /// What is to be deleted, in order.
    func make(for records: [RecordReference]) throws -> [RecordReference] {
        repeat {
            doomed = []
            isDoomed = []
            dependents = [:]
            blockers = []
            detachments = []
            for record in records where denials[record] == nil { doom(record) }
            var next = 0
            while next < doomed.count {
                try follow(doomed[next])
                next += 1
            }
        } while spreadDenials()
        return inOrder()
    }

    private func doom(_ record: RecordReference) {
        if isDoomed.insert(record).inserted { doomed.append(record) }
    }

    private func deny(_ record: RecordReference, _ reason: String) {
        if denials[record] == nil { denials[record] = reason }
    }

    // MARK: Following

    private func follow(_ record: RecordReference) throws {
        for link in links[record.entity] {
            for found in try reader.destinations(of: record, by: link) {
                try follow(record, link, found)
            }
        }
    }

    private func follow(_ record: RecordReference, _ link: DeleteLink, _ found: LinkReader.Found) throws {
        if found.record == record { return }
        // What lies in a record goes with it, also what the server has not named yet.
        let reachedServer = found.reachedServer || link.isEmbedded
        let isProtected = try sweepGuard.protects(found.record, reachedServer: reachedServer)
        switch link.rule {
        case .deny:
            let reason = "the rule of “\(link.relationship.name)” denies the delete"
            if isProtected { return deny(record, reason) }
            blockers.append((record, found.record, reason))
            dependents[record, default: []].append(found.record)
        case .cascade where !isProtected:
            if let reason = denials[found.record] { return deny(record, reason) }
            dependents[record, default: []].append(found.record)
            doom(found.record)
        case .cascade, .nullify:
            if !isProtected { return }
            if link.isConstraint {
                // SQLite would not commit a key that leads nowhere.
                if link.rule == .cascade {
                    deny(record, "a record of “\(link.relationship.name)” that must stay cannot be without it")
                }
                return
            }
            let keepsKey = try sweepGuard.isListed(found.record) && !sweepGuard.isChanged(found.record)
            detachments.append(Detachment(link, record, found.record, keepsKey: keepsKey))
        case .none: return
        }
    }

    // MARK: Denials

    /// Keeps what a record needs that is kept: its delete would be denied too.
    ///
    /// - Returns: Whether something is kept that was to go.
    private func spreadDenials() -> Bool {
        var reasons: [RecordReference: String] = denials.filter { isDoomed.contains($0.key) }
        for (record, blocker, reason) in blockers where !isDoomed.contains(blocker) { reasons[record] = reason }
        if reasons.isEmpty { return false }
        var owners: [RecordReference: [RecordReference]] = [:]
        for (record, others) in dependents { for other in others { owners[other, default: []].append(record) } }
        var waiting = Array(reasons)
        while let (record, reason) = waiting.popLast() {
            deny(record, reason)
            for owner in owners[record] ?? [] where reasons[owner] == nil && isDoomed.contains(owner) {
                reasons[owner] = reason
                waiting.append((owner, reason))
            }
        }
        return true
    }

    // MARK: Order

    /// Each record behind those that must go before it. Chains may be long: nothing is called in itself.
    private func inOrder() -> [RecordReference] {
        if dependents.isEmpty { return doomed }
        var order: [RecordReference] = []
        order.reserveCapacity(doomed.count)
        var visited: Set<RecordReference> = []
        for start in doomed where visited.insert(start).inserted {
            var stack: [(record: RecordReference, next: Int)] = [(start, 0)]
            while let (record, next) = stack.last {
                let others = dependents[record] ?? []
                guard next < others.count else {
                    order.append(record)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                if isDoomed.contains(others[next]), visited.insert(others[next]).inserted {
                    stack.append((others[next], 0))
                }
            }
        }
        return order
    }
}
