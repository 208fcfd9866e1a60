import GRDB
import LockstepStore

/// Gives to-many relationships the members that the payload lists, exactly (Rules.md, R3 to R6).
final class LinkMerge {
    /// Not owned, as the run owns this: a merge must leave no statement behind, or the store cannot be closed.
    unowned let run: MergeRun
    private lazy var children = ChildLinks(run)
    private lazy var joins = JoinLinks(run)
    private lazy var owned = OwnedRecords(run)

    init(_ run: MergeRun) { self.run = run }

    /// Writes the memberships that are staged. The records themselves are in the store by now.
    func write() throws {
        for table in run.staging.tables where !table.memberships.isEmpty {
            for membership in latest(table) {
                try run.checkCancellation()
                try write(membership, of: table)
            }
        }
        try children.connectWaiting()
    }

    /// Sees to what could not be known before the payload's end.
    func finish() throws { try children.letGoOfListed() }

    /// Of several lists of one relationship of one record, the last that is to be merged.
    private func latest(_ table: StagedTable) -> [StagedMembership] {
        if table.hasEachListOnce, run.staging.skipCount == 0 { return table.memberships }
        var seen: Set<OwnerRelationship> = []
        seen.reserveCapacity(table.memberships.count)
        var latest: [StagedMembership] = []
        latest.reserveCapacity(table.memberships.count)
        for membership in table.memberships.reversed()
        where !run.staging.isSkipped(Int(membership.row), of: table.entity.place) {
            let owner = OwnerRelationship(
                owner: table.row(Int(membership.row)).fingerprint(table.entity),
                relationship: membership.relationship)
            if seen.insert(owner).inserted { latest.append(membership) }
        }
        return latest.reversed()
    }

    private struct OwnerRelationship: Hashable {
        let owner: KeyFingerprint
        let relationship: Int16
    }

    private func write(_ membership: StagedMembership, of table: StagedTable) throws {
        let row = Int(membership.row)
        let owner = LinkOwner(table: table, row: row)
        // What is not here, because it may not be inserted, has no members; what may not be updated keeps its own.
        guard let outcome = run.outcome(owner.fingerprint, of: table.entity), outcome != .listed,
            outcome == .inserted || run.switches(of: table.origins[row]).contains(.update)
        else { return }
        let relationship = table.entity.relationships[Int(membership.relationship)]
        let destination = run.staging.tables[relationship.destination]
        let members = try members(of: membership, table, destination)
        if destination.entity.isOwned {
            return try owned.write(members, of: owner, relationship)
        }
        let list = LinkList(
            members: members, isEmbedded: membership.isEmbedded, isWhole: isWhole(membership, table, destination))
        switch relationship.description.kind {
        case .manyToMany(let join): try joins.write(list, of: owner, relationship, join)
        case .toMany, .toOneInverse: try children.write(list, of: owner, relationship)
        case .toOne: break
        }
    }

    /// Whether it is known which records are listed: not where one has no identity that can be read, nor where the only
    /// one that there can be is invalid, for then the one that is here may be meant.
    private func isWhole(
        _ membership: StagedMembership, _ table: StagedTable, _ destination: StagedTable
    ) -> Bool {
        guard membership.isEmbedded else { return true }
        let relationship = table.entity.relationships[Int(membership.relationship)]
        return table.members(of: membership).allSatisfy { member in
            guard destination.hasKey(Int(member.row)) else { return false }
            return relationship.isToMany
                || !run.staging.isSkipped(Int(member.row), of: destination.entity.place)
        }
    }

    /// The members with the keys that they have here.
    private func members(
        of membership: StagedMembership, _ table: StagedTable, _ destination: StagedTable
    ) throws -> [LinkMember] {
        try table.distinctMembers(of: membership, destination).compactMap { member in
            guard member.row < 0 else {
                let row = Int(member.row)
                let isSkipped = run.staging.isSkipped(row, of: destination.entity.place)
                if destination.entity.isOwned { return LinkMember(ownedRow: row, isSkipped: isSkipped) }
                guard destination.hasKey(row) else { return nil }
                return LinkMember(destination, row: row, isSkipped: isSkipped)
            }
            let isRemote = destination.entity.plan.remoteColumn != nil
            let key =
                isRemote
                ? try run.identities.key(of: member.identity, in: destination.entity, isReserved: true)
                : member.identity
            return LinkMember(key: key)
        }
    }
}

/// The record that a list of members belongs to.
struct LinkOwner {
    let table: StagedTable
    let row: Int

    var entity: MergeEntity { table.entity }
    var key: [Cell] { table.key(row) }
    var fingerprint: KeyFingerprint { table.row(row).fingerprint(entity) }
}

/// What the payload says of the members of a relationship.
struct LinkList {
    let members: [LinkMember]
    /// Whether the members were merged with their link already, rather than being listed by identity.
    let isEmbedded: Bool
    /// Whether what is not among the members is not listed.
    let isWhole: Bool
}

/// A record that is listed as a member.
struct LinkMember {
    let fingerprint: KeyFingerprint
    /// Its row, where it is embedded; else -1.
    let row: Int
    /// Whether it was not merged: it is listed, but nothing is linked anew.
    let isSkipped: Bool
    /// Most keys are one value, and need no memory of their own; absent where it has none.
    private let firstOfKey: Cell
    private let restOfKey: [Cell]

    /// Its key here.
    var key: [Cell] { firstOfKey.kind == .absent ? [] : [firstOfKey] + restOfKey }

    /// One that is embedded.
    init(_ table: StagedTable, row: Int, isSkipped: Bool) {
        let cells = table.row(row)
        let columns = table.entity.plan.keyColumns
        fingerprint = cells.fingerprint(table.entity)
        firstOfKey = cells[columns[0]]
        restOfKey = columns.count > 1 ? columns.dropFirst().map { cells[$0] } : []
        self.row = row
        self.isSkipped = isSkipped
    }

    /// One that is embedded and has no identity.
    init(ownedRow row: Int, isSkipped: Bool) {
        fingerprint = Cell.absent.fingerprint
        (firstOfKey, restOfKey) = (.absent, [])
        self.row = row
        self.isSkipped = isSkipped
    }

    /// One that is a member here.
    init(key: [Cell]) {
        fingerprint = key.fingerprint
        (firstOfKey, restOfKey) = (key[0], Array(key.dropFirst()))
        row = -1
        isSkipped = false
    }

    /// One that is listed by its identity.
    init(key: Cell) {
        fingerprint = key.fingerprint
        (firstOfKey, restOfKey) = (key, [])
        row = -1
        isSkipped = false
    }
}

extension [LinkMember] {
    /// With more, one that is not where it is expected is not searched for.
    private static var longestSearched: Int { 64 }

    /// The place of a member, which is likely to be at `guess`; -1 where it is not found.
    func place(of fingerprint: KeyFingerprint, guess: Int) -> Int {
        if guess < count, self[guess].fingerprint == fingerprint { return guess }
        guard count <= Self.longestSearched else { return -1 }
        return firstIndex { $0.fingerprint == fingerprint } ?? -1
    }
}

extension RawStatement {
    /// Binds the key of an owner to the first parameters.
    func bind(keyOf owner: LinkOwner) {
        guard owner.entity.keyColumn >= 0 else { return bind(owner.key) }
        owner.table.row(owner.row)[owner.entity.keyColumn].bind(to: pointer, 1)
    }

    /// The fingerprint of the key in the first columns of the row it is on.
    func fingerprint(ofFirst count: Int) -> KeyFingerprint {
        var fingerprint = cell(0).fingerprint
        for column in 1..<Swift.max(count, 1) { fingerprint.combine(cell(column).fingerprint) }
        return fingerprint
    }
}

extension [Cell] {
    /// The fingerprint of a key of these values.
    var fingerprint: KeyFingerprint {
        var fingerprint = self[0].fingerprint
        for cell in dropFirst() { fingerprint.combine(cell.fingerprint) }
        return fingerprint
    }
}

extension StagedTable {
    /// The cells of a row's key.
    func key(_ row: Int) -> [Cell] {
        let cells = self.row(row)
        return entity.plan.keyColumns.map { cells[$0] }
    }

    /// Whether it is known that no two lists are of one relationship of one record.
    var hasEachListOnce: Bool {
        guard isEachOnce else { return false }
        var row: Int32 = -1
        var relationships: UInt64 = 0
        for membership in memberships {
            if membership.row != row {
                // Of a record within another of its kind, the list may come first.
                guard membership.row > row else { return false }
                (row, relationships) = (membership.row, 0)
            }
            guard membership.relationship < 64 else { return false }
            let bit = UInt64(1) << UInt64(membership.relationship)
            guard relationships & bit == 0 else { return false }
            relationships |= bit
        }
        return true
    }
}
