import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting

extension World {
    /// Rule 3, after each exchange: what was changed here and is not confirmed is as it was, unless the policy says
    /// otherwise.
    func checkNothingLost(_ device: Device, _ before: Snapshot, _ after: Snapshot, isPull: Bool) throws {
        members.look(at: server)
        for pending in before.pending {
            guard let entity = domain.entity(pending.entity) else { continue }
            let (old, new) = (before.rows[pending.table]?[pending.key], after.rows[pending.table]?[pending.key])
            switch pending.change {
            case .delete:
                // Deleted there, too, it is done; what somebody has made again since is new here.
                guard new != nil || isBack(entity, pending, before, after), scenario.policy == .localChangesWin,
                    !wasDeletedThere(entity, pending)
                else { continue }
                throw lost(device, pending, "it was deleted here, and is back")
            case .create, .update:
                guard let old else { continue }
                guard let new else {
                    if absorbing(entity, old, before, after) != nil { continue }
                    if scenario.policy == .serverWins, !isPull || pending.change == .update { continue }
                    // Where the server wins, what was made in a record goes with it.
                    if scenario.policy == .serverWins, entity.plan.travelsInside, hasLostOwner(entity, old, after) {
                        continue
                    }
                    if hasReached(device, entity, pending) { continue }
                    throw lost(device, pending, "it is gone")
                }
                try checkValues(device, entity, pending, old, new, before, after)
            }
        }
        try checkLinks(device, before, after)
        try checkMembers(device, before, after)
    }

    /// Whether the server took a record inside of another one, before another response said where that is now. Which
    /// of two responses came first is not known if the server has the outer record twice.
    ///
    /// - Parameter column: `nil` for all that were set.
    private func hasReached(
        _ device: Device, _ entity: DomainEntity, _ pending: Snapshot.Pending, column: String? = nil
    ) -> Bool {
        guard entity.container != nil else { return false }
        let promises = device.promises.filter { promise in
            promise.table == entity.table && promise.record == pending.key
                && column.map { $0 == promise.column } ?? true
        }
        if promises.isEmpty { return column == nil }
        let reached = server.reachedValues
        return promises.allSatisfy { reached.contains($0.written) }
    }

    /// The same of records that go to the server inside of others, whatever the outbox has of them.
    private func checkMembers(_ device: Device, _ before: Snapshot, _ after: Snapshot) throws {
        guard scenario.policy == .localChangesWin else { return }
        var reached: Set<WrittenValue>?
        for promise in device.promises {
            guard let entity = domain.entity(ofTable: promise.table), entity.container != nil,
                before.rows[promise.table]?[promise.record]?[promise.column] == promise.value,
                after.rows[promise.table]?[promise.record]?[promise.column] != promise.value
            else { continue }
            // A second row of a record that was edited, too: one of two edits had to go.
            if after.rows[promise.table]?[promise.record] == nil, let old = before.rows[promise.table]?[promise.record],
                absorbing(entity, old, before, after) != nil
            {
                continue
            }
            if reached == nil { reached = server.reachedValues }
            guard reached?.contains(promise.written) == false else { continue }
            let value = after.rows[promise.table]?[promise.record].map { $0[promise.column]?.keyText ?? "null" }
            throw Violation(
                rule: 3,
                what: """
                    \(device.name)'s \(entity.name) \(promise.record): \(promise.column) was set to \
                    \(promise.value.keyText) here, and is \(value ?? "gone")
                    """)
        }
    }

    /// The record that was made here and of which another one was a second row: the server's identity says so.
    ///
    /// A killed device gets its own creation back as a stranger's before it learns that it was its own.
    func absorbing(
        _ entity: DomainEntity, _ old: Snapshot.Record, _ before: Snapshot, _ after: Snapshot
    ) -> String? {
        guard let remote = entity.plan.remoteColumn.map({ entity.plan.columns[$0].name }),
            let identity = old[remote], !identity.isNull, let rows = after.rows[entity.table],
            let (key, row) = rows.first(where: { $0.value[remote] == identity })
                ?? rows.first(where: { isMadeAgain($0.value, remote, insteadOf: old, entity) }),
            let own = before.pending(entity, key), let sent = own.base
        else { return nil }
        // Where both were edited one edit had to go; else both are there.
        let areThere = entity.fields.allSatisfy { field in
            row[field.name] == old[field.name] || before.rows[entity.table]?[key]?[field.name] != sent[field.name]
                || before.pending.first { $0.table == entity.table && $0.key == old[entity.keyName]?.keyText }?
                    .base?[field.name] == old[field.name]
        }
        return areThere ? key : nil
    }

    /// Whether a record is what another one was, and has no identity: its owner was gone, and was made again at once.
    private func isMadeAgain(
        _ row: Snapshot.Record, _ remote: String, insteadOf old: Snapshot.Record, _ entity: DomainEntity
    ) -> Bool {
        (row[remote] ?? .null).isNull && entity.fields.allSatisfy { row[$0.name] == old[$0.name] }
    }

    /// Whether a link led to a record that is gone and never comes back with the same key here.
    private func hasLostParent(
        _ column: String, _ entity: DomainEntity, _ value: DatabaseValue, _ base: DatabaseValue?,
        _ new: Snapshot.Record, _ after: Snapshot
    ) -> Bool {
        guard let link = entity.links.first(where: { $0.name == column }),
            let parent = domain.entity(link.destination), parent.isServerMade
        else { return false }
        func isGone(_ key: DatabaseValue) -> Bool { !key.isNull && after.rows[parent.table]?[key.keyText] == nil }
        // It was cut off here, or had been before, and the server says it as it is there.
        return new[column] ?? .null == .null ? isGone(value) : value.isNull && isGone(base ?? .null)
    }

    /// Whether the record that another one is inside of is gone.
    private func hasLostOwner(_ entity: DomainEntity, _ row: Snapshot.Record, _ after: Snapshot) -> Bool {
        guard let link = entity.container?.link, let owner = domain.owner(of: entity), let key = row[link.name] else {
            return false
        }
        return after.rows[owner.table]?[key.keyText] == nil
    }

    /// Whether a link led to a second row of a record, and leads to the record itself now.
    private func isSameParent(
        _ column: String, _ entity: DomainEntity, _ value: DatabaseValue, _ new: Snapshot.Record, _ before: Snapshot,
        _ after: Snapshot
    ) -> Bool {
        guard let link = entity.links.first(where: { $0.name == column }),
            let parent = domain.entity(link.destination), let old = before.rows[parent.table]?[value.keyText],
            let own = absorbing(parent, old, before, after)
        else { return false }
        return new[column]?.keyText == own
    }

    /// Whether a record that was deleted here is here under another key.
    private func isBack(
        _ entity: DomainEntity, _ pending: Snapshot.Pending, _ before: Snapshot, _ after: Snapshot
    ) -> Bool {
        guard let remote = entity.plan.remoteColumn.map({ entity.plan.columns[$0].name }),
            let identity = pending.base?[remote], !identity.isNull
        else { return false }
        func here(_ snapshot: Snapshot) -> String? {
            snapshot.rows[entity.table]?.first { $0.value[remote] == identity }?.key
        }
        guard let key = here(after), here(before) == nil else { return false }
        // A second row of a record was deleted, and the first one, which was made here, has learnt who it is.
        return before.pending(entity, key)?.change != .create
    }

    private func wasDeletedThere(_ entity: DomainEntity, _ pending: Snapshot.Pending) -> Bool {
        let remote = entity.plan.remoteColumn.flatMap { pending.base?[entity.plan.columns[$0].name]?.keyText }
        return server.hasDeleted(remote ?? pending.key, of: entity)
    }

    private func checkValues(
        _ device: Device, _ entity: DomainEntity, _ pending: Snapshot.Pending, _ old: Snapshot.Record,
        _ new: Snapshot.Record, _ before: Snapshot, _ after: Snapshot
    ) throws {
        let columns = entity.fields.map(\.name) + entity.links.map(\.name)
        for column in columns {
            let value = old[column] ?? .null
            if let base = pending.base, base[column] ?? .null == value { continue }
            if new[column] ?? .null == value { continue }
            // Of two values the policy chooses; of one that nobody else has changed it does not.
            if scenario.policy != .localChangesWin { continue }
            if isSameParent(column, entity, value, new, before, after) { continue }
            if hasLostParent(column, entity, value, pending.base?[column], new, after) { continue }
            // P21: a value of others that comes back for one that was not applied counts as the server's own form of it.
            if SimulatedServer.ignores(value), new[column] != pending.base?[column] { continue }
            if hasReached(device, entity, pending, column: column) { continue }
            throw lost(
                device, pending, "\(column) was set to \(value.keyText) here, and is \((new[column] ?? .null).keyText)")
        }
    }

    private func checkLinks(_ device: Device, _ before: Snapshot, _ after: Snapshot) throws {
        guard scenario.policy == .localChangesWin else { return }
        for change in before.linkChanges {
            guard let (_, owner, member) = domain.joins.first(where: { $0.join.table == change.table }),
                after.rows[owner.table]?[change.ends.source.keyText] != nil,
                after.rows[member.table]?[change.ends.destination.keyText] != nil
            else { continue }
            let isThere = after.links[change.table]?.contains(change.ends) ?? false
            guard isThere != change.isAdded else { continue }
            throw Violation(
                rule: 3,
                what: """
                    \(device.name)'s link \(owner.name) \(change.ends.source.keyText) – \(member.name) \
                    \(change.ends.destination.keyText) was \(change.isAdded ? "added and is gone" : "removed and is back")
                    """)
        }
    }

    private func lost(_ device: Device, _ pending: Snapshot.Pending, _ what: String) -> Violation {
        Violation(rule: 3, what: "\(device.name)'s \(pending.entity) \(pending.key): \(what)")
    }

    /// Whether the clock of a device was set a few minutes ago.
    private func hasNewClock(_ device: Device) -> Bool {
        device.clockSetAt.map { clock.now.timeIntervalSince($0) < 300 } ?? false
    }

    /// Rule 9: a pull deletes nothing that the server has had all the while, but for what goes with its parent.
    ///
    /// - Parameter living: The keys of records that were there before and after.
    func checkLiving(
        _ device: Device, _ entity: DomainEntity, _ living: Set<String>, _ before: Snapshot, _ after: Snapshot
    ) throws {
        let identity = entity.plan.columns[entity.plan.remoteColumn ?? entity.plan.keyColumns[0]].name
        let here = Set((after.rows[entity.table] ?? [:]).values.compactMap { $0[identity]?.keyText })
        for (key, row) in before.rows[entity.table] ?? [:] where before.pending(entity, key) == nil {
            guard let text = row[identity]?.keyText, living.contains(text), !here.contains(text),
                !hasLeft(row, entity, before, after)
            else { continue }
            // A list from before a record was made again shows that it was deleted. If the clock was years behind, what
            // was confirmed a moment ago seems to be old.
            if scenario.listLagSeconds > 0, server.hasDeleted(text, of: entity) || hasNewClock(device) { continue }
            throw Violation(
                rule: 9, what: "\(device.name) has pulled, and has lost \(entity.name) \(text), which the server has")
        }
    }

    /// Whether a record that a row points at was here, and is gone.
    private func hasLeft(
        _ row: Snapshot.Record, _ entity: DomainEntity, _ before: Snapshot, _ after: Snapshot
    ) -> Bool {
        entity.links.contains { link in
            guard let key = row[link.name]?.keyText, let parent = domain.entity(link.destination) else { return false }
            return before.rows[parent.table]?[key] != nil && after.rows[parent.table]?[key] == nil
        }
    }

    /// Rule 4: no change is refused because others have changed the record: the two merge (C4).
    func checkVersions(_ device: Device, _ after: Snapshot) throws {
        for pending in after.pending where [409, 412].contains(pending.parkedStatus) {
            guard pending.change == .update, domain.entity(pending.entity)?.plan.versionColumn != nil else { continue }
            throw Violation(
                rule: 4,
                what: """
                    \(device.name)'s edit of \(pending.entity) \(pending.key) is parked because others have changed the \
                    record
                    """)
        }
    }

    /// A creation is parked because of what is in it: never because the server has it already, whose response was lost.
    func checkReasons(_ device: Device, _ snapshot: Snapshot) throws {
        for pending in snapshot.pending where pending.parkedStatus != nil && pending.change == .create {
            guard let entity = domain.entity(pending.entity), !entity.isServerMade, domain.members(of: entity).isEmpty,
                let row = snapshot.rows[pending.table]?[pending.key],
                !row.values.contains(where: { $0.keyText.hasSuffix(SimulatedServer.refusedMark) })
            else { continue }
            throw Violation(
                rule: 4,
                what: """
                    \(device.name)'s creation of \(pending.entity) \(pending.key) is parked, and nothing in it is refused: \
                    \(pending.error ?? "no error")
                    """)
        }
    }

    /// Rule 6: nothing that went wrong changed anything. A member that is created again loses its former identity as it
    /// is sent, whatever the response (C3).
    func checkUnchanged(_ device: Device, _ before: Snapshot, _ after: Snapshot) throws {
        var before = before
        for entity in domain.entities where entity.container != nil {
            guard let remote = entity.plan.remoteColumn.map({ entity.plan.columns[$0].name }) else { continue }
            for (key, row) in after.rows[entity.table] ?? [:]
            where row[remote]?.isNull == true && after.pending(entity, key).map({ $0.change != .delete }) == true {
                before.rows[entity.table]?[key]?[remote] = .null
            }
        }
        let difference = before.visible.difference(from: after.visible)
        guard !difference.isEmpty else { return }
        throw Violation(
            rule: 6,
            what: "\(device.name) got no good response, and has other rows: \(difference.joined(separator: "; "))")
    }
}

extension Snapshot {
    /// What one of two has, and the other has not: `- task 7: title=a1`.
    func difference(from other: Snapshot) -> [String] {
        var lines: [String] = []
        for table in Set(rows.keys).union(other.rows.keys).sorted() {
            let (mine, theirs) = (rows[table] ?? [:], other.rows[table] ?? [:])
            for key in Set(mine.keys).union(theirs.keys).sorted() where mine[key] != theirs[key] {
                if let row = mine[key] { lines.append("- \(table) \(Self.text(row))") }
                if let row = theirs[key] { lines.append("+ \(table) \(Self.text(row))") }
            }
        }
        for table in Set(links.keys).union(other.links.keys).sorted() {
            let (mine, theirs) = (links[table] ?? [], other.links[table] ?? [])
            lines += mine.subtracting(theirs).map { "- \(table) \($0.text)" }.sorted()
            lines += theirs.subtracting(mine).map { "+ \(table) \($0.text)" }.sorted()
        }
        return lines
    }

    private static func text(_ row: Record) -> String {
        row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.keyText)" }.joined(separator: " ")
    }
}

extension Snapshot.LinkRow {
    var text: String { "\(source.keyText)–\(destination.keyText)" }
}
