import GRDB
import LockstepStore

/// Gives to-many relationships the members that the payload lists, exactly (Rules.md, R3 to R6).
final class LinkMerge {
    /// Not owned, as the run owns this: a merge must leave no statement behind, or the store cannot be closed.
    unowned let run: MergeRun
    private lazy var children = ChildLinks(run)
    private lazy var joins = JoinLinks(run)
    private lazy var owned = OwnedRecords(run)

    /// The to-manys of the batch whose members hold the key.
    private var staged: [StagedMembers]?
    /// Who has the members of those that the batch says different things of.
    private var claims: [Relationship: MemberClaims] = [:]
    private var joinClaims: JoinClaims?

    private struct Relationship: Hashable {
        let entity: Int
        let relationship: Int
    }

    init(_ run: MergeRun) { self.run = run }

    /// Writes the memberships that are staged. The records themselves are in the store by now.
    func write() throws {
        joinClaims = try JoinClaims(run, self) { self.latest($0) }
        for claims in claims.values { children.noteOwnerless(claims) }
        try children.keepNamed(in: run.staging.tables)
        for table in run.staging.tables where !table.memberships.isEmpty {
            for place in latest(table) {
                try run.checkCancellation()
                try write(place, of: table)
            }
        }
        for claims in claims.values { try children.letGoOfTaken(claims) }
        try children.connectWaiting()
        (staged, joinClaims) = (nil, nil)
        claims.removeAll()
    }

    // MARK: What contradicts itself

    /// Settles whose members are of whom the batch says different things (Rules.md, M16): in the rows, before they are
    /// held against the store.
    ///
    /// - Returns: Whether there are any.
    func settle(_ merges: [TableMerge]) throws -> Bool {
        let merges = Dictionary(uniqueKeysWithValues: merges.map { ($0.entity.place, $0) })
        if staged == nil {
            staged = stagedMembers(merges)
            try children.noteOwnerless(in: run.staging.tables)
        }
        claims.removeAll()
        for members in staged ?? [] where isContested(members, merges) {
            let found = try MemberClaims(run, members, self)
            claims[Self.relationship(of: members)] = found
            try found.write(into: merges[members.children.entity.place])
        }
        return !claims.isEmpty
    }

    private static func relationship(of members: StagedMembers) -> Relationship {
        Relationship(entity: members.owners.entity.place, relationship: members.place)
    }

    /// The relationships that have lists, and those whose members may say two things of their places.
    private func stagedMembers(_ merges: [Int: TableMerge]) -> [StagedMembers] {
        var found: Set<Relationship> = []
        var staged: [StagedMembers] = []
        let add = { (owners: StagedTable, place: Int, hasLists: Bool) in
            guard found.insert(Relationship(entity: owners.entity.place, relationship: place)).inserted,
                let members = StagedMembers(owners, place, hasLists: hasLists, self.run.staging)
            else { return }
            staged.append(members)
        }
        for table in run.staging.tables where !table.memberships.isEmpty {
            var places: Set<Int16> = []
            for membership in table.memberships { places.insert(membership.relationship) }
            for place in places.sorted() { add(table, Int(place), true) }
        }
        for merge in merges.values where !merge.isEachOnce {
            for link in merge.entity.relationships where link.positionColumn != nil {
                if let inverse = link.inverse { add(run.staging.tables[link.destination], inverse, false) }
            }
        }
        return staged
    }

    /// Whether what is said of members may be more than one thing. Two lists of identities that have one member are
    /// found when something is to be written, which it seldom is.
    private func isContested(_ members: StagedMembers, _ merges: [Int: TableMerge]) -> Bool {
        let isChildOnce = merges[members.children.entity.place]?.isEachOnce ?? true
        guard members.hasLists else { return !isChildOnce && !members.sayers.isEmpty }
        let isOwnerOnce =
            merges[members.owners.entity.place]?.isEachOnce ?? true && members.owners.hasListsOfDistinctRows
        guard isOwnerOnce else { return true }
        return members.relationship.isEmbedded ? !isChildOnce || members.namesOwner : !members.sayers.isEmpty
    }

    /// Who has the members of lists that are to be followed.
    func claims(ofListAt place: Int, of table: StagedTable) throws -> MemberClaims? {
        let relationship = table.memberships[place].relationship
        let key = Relationship(entity: table.entity.place, relationship: Int(relationship))
        if let known = claims[key] { return known }
        let others = table.memberships.indices.lazy.filter {
            $0 != place && table.memberships[$0].relationship == relationship
        }
        guard !others.isEmpty, let members = staged?.first(where: { Self.relationship(of: $0) == key })
        else { return nil }
        let found = try MemberClaims(run, members, self)
        claims[key] = found
        return found
    }

    /// Sees to what could not be known before the payload's end.
    func finish() throws { try children.letGoOfListed() }

    /// Of several lists of one relationship of one record, the last that is to be merged: the one whose owner begins
    /// last. All of them where they were settled. By their places in the table.
    private func latest(_ table: StagedTable) -> [Int] {
        let all = table.memberships
        if table.hasEachListOnce, run.staging.skipCount == 0 { return Array(all.indices) }
        var seen: Set<OwnerRelationship> = []
        seen.reserveCapacity(all.count)
        var latest: [Int] = []
        latest.reserveCapacity(all.count)
        for place in all.indices.sorted(by: { (all[$0].row, $0) > (all[$1].row, $1) })
        where !run.staging.isSkipped(Int(all[place].row), of: table.entity.place) {
            let (row, relationship) = (Int(all[place].row), all[place].relationship)
            let owner = OwnerRelationship(
                owner: table.row(row).fingerprint(table.entity), relationship: relationship)
            let isSettled =
                claims[Relationship(entity: table.entity.place, relationship: Int(relationship))] != nil
            if seen.insert(owner).inserted || isSettled { latest.append(place) }
        }
        return latest.reversed()
    }

    private struct OwnerRelationship: Hashable {
        let owner: KeyFingerprint
        let relationship: Int16
    }

    private func write(_ place: Int, of table: StagedTable) throws {
        let membership = table.memberships[place]
        let row = Int(membership.row)
        let owner = LinkOwner(table: table, row: row)
        // What is not here, because it may not be inserted, has no members; what may not be updated keeps its own.
        guard
            let outcome = run.outcome(
                owner.fingerprint, of: table.entity, toldList: Int(membership.relationship)), outcome != .listed,
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
        case .manyToMany(let join):
            try joins.write(
                list, of: owner, relationship, join, joinClaims?.answers(to: membership, of: table, join))
        case .toMany, .toOneInverse:
            let key = Relationship(entity: table.entity.place, relationship: Int(membership.relationship))
            let settled = claims.isEmpty ? nil : claims[key]
            try children.write(list, at: place, of: owner, relationship, settled)
        case .toOne: break
        }
    }

    /// Whether it is known which records are listed: not where one has no identity that can be read, nor where the only
    /// one that there can be is invalid, for then the one that is here may be meant.
    func isWhole(
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
        try placedMembers(of: membership, table, destination).compactMap { $0 }
    }

    /// The same in their places; `nil` for one without key.
    func placedMembers(
        of membership: StagedMembership, _ table: StagedTable, _ destination: StagedTable
    ) throws -> [LinkMember?] {
        try table.distinctMembers(of: membership, destination).map { member in
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
    var hasEachListOnce: Bool { isEachOnce && hasListsOfDistinctRows }

    /// Whether it is known that no two lists are of one relationship of one row.
    var hasListsOfDistinctRows: Bool {
        if hasListsInOrder { return true }
        // Of a record within another of its kind, the list may come first.
        var told = [UInt64](repeating: 0, count: count)
        for membership in memberships {
            guard membership.relationship < 64 else { return false }
            let bit = UInt64(1) << UInt64(membership.relationship)
            guard told[Int(membership.row)] & bit == 0 else { return false }
            told[Int(membership.row)] |= bit
        }
        return true
    }

    /// Whether the lists come in the order of their rows, and each once.
    private var hasListsInOrder: Bool {
        var row: Int32 = -1
        var relationships: UInt64 = 0
        for membership in memberships {
            if membership.row != row {
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
