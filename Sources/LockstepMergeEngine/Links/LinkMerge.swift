import GRDB
import LockstepTables

/// Gives to-many relationships exactly the members that the payload lists (Rules.md, R3 to R6).
final class LinkMerge {
    let transaction: MergeTransaction
    let state: MergeState
    let claims: MembershipClaims
    private let children: ChildLinks
    private let joins: JoinLinks
    private let owned: OwnedRecords
    private var joinClaims: JoinClaims?
    /// Whether the claims of the batch were determined.
    private var isClaimed = false
    /// The stored members of the lists of the batch, by relationship; `nil` for those that are read one by one.
    private var storedLists: [MembershipClaims.Relationship: StoredLists?] = [:]
    private var latestStored: (relationship: MergeRelationship, lists: StoredLists?)?
    /// The owners whose lists may differ from those in the store, by relationship; `nil` if all may.
    private var otherOwners: [ObjectIdentifier: OtherOwners?] = [:]
    private var latestOthers: (relationship: MergeRelationship, owners: OtherOwners?)?

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
        claims = MembershipClaims(state)
        (children, joins, owned) = (ChildLinks(state, claims: claims), JoinLinks(state), OwnedRecords(state))
    }

    /// Determines the owners of the members about which the batch contradicts itself (Rules.md, M16), and writes them
    /// into the rows, before these are compared with the store.
    ///
    /// - Returns: Whether there are any.
    func resolveClaims(_ tables: [TableMerge]) throws -> Bool {
        if !isClaimed { try children.recordOwnerless(in: transaction.staging.tables) }
        isClaimed = true
        return try claims.resolve(tables)
    }

    /// Writes the staged memberships. The records themselves are in the store by then.
    func write() throws {
        joinClaims = try JoinClaims(transaction) { claims.latest($0) }
        for claims in claims.claims.values { children.recordOwnerless(claims) }
        try children.keepNamed(in: transaction.staging.tables)
        for table in transaction.staging.tables where !table.memberships.isEmpty {
            for index in claims.latest(table) {
                try transaction.checkCancellation()
                try write(index, of: table)
            }
        }
        for claims in claims.claims.values { try children.unlinkTaken(claims) }
        try children.connectWaiting()
        (isClaimed, joinClaims, latestStored, latestOthers) = (false, nil, nil, nil)
        storedLists.removeAll()
        otherOwners.removeAll()
        claims.removeAll()
    }

    /// Whether the batch lists links of a many-to-many relationship from both ends.
    var hasBothEnds: Bool { joinClaims != nil }

    /// Returns the members of a list in the store, as far as they are known without a query.
    private func storedMembers(
        _ list: LinkList, of owner: LinkOwner, for relationship: MergeRelationship, at index: Int
    ) throws -> StoredLists.Members {
        if let latestStored, latestStored.relationship === relationship {
            return latestStored.lists?.members(list.members, of: owner.fingerprint) ?? .others
        }
        let key = MembershipClaims.Relationship(entity: owner.entity.index, relationship: index)
        let lists: StoredLists?
        if let known = storedLists[key] {
            lists = known
        } else {
            lists = try readStoredLists(of: index, in: owner.table)
            storedLists[key] = .some(lists)
        }
        latestStored = (relationship, lists)
        return lists?.members(list.members, of: owner.fingerprint) ?? .others
    }

    /// Whether the comparison of the rows has shown that the store has exactly the members of an owner's list.
    private func isListStored(_ owner: LinkOwner, for relationship: MergeRelationship, at index: Int) -> Bool {
        if latestOthers?.relationship !== relationship {
            let known = otherOwners[ObjectIdentifier(relationship)]
            let owners = known ?? findOtherOwners(of: index, in: owner.table)
            otherOwners[ObjectIdentifier(relationship)] = .some(owners)
            latestOthers = (relationship, owners)
        }
        guard let others = latestOthers?.owners, let inverse = relationship.keyHoldingInverse else { return false }
        // A list takes back the deletes that an earlier batch has scheduled of its members.
        return !children.hasScheduledDeletes && !others.contains(owner.fingerprint, for: inverse)
    }

    /// Unlinks the children that turned out to be listed elsewhere, at the end of the payload.
    func unlinkMovedChildren() throws { try children.unlinkMoved() }

    private func write(_ index: Int, of table: StagedTable) throws {
        let membership = table.memberships[index]
        let row = Int(membership.row)
        let owner = LinkOwner(table: table, row: row)
        // A record that was not inserted has no members; one that may not be updated keeps its own.
        guard
            let outcome = transaction.outcome(
                owner.fingerprint, of: table.entity, statedList: Int(membership.relationship)), outcome != .listed,
            outcome == .inserted || transaction.operations(of: table.origins[row]).contains(.update)
        else { return }
        let relationship = table.entity.relationships[Int(membership.relationship)]
        if isListStored(owner, for: relationship, at: Int(membership.relationship)) { return }
        let destination = transaction.staging.tables[relationship.destination]
        let members = try transaction.placedMembers(of: membership, in: table, to: destination).compactMap { $0 }
        if destination.entity.isOwned {
            return try owned.write(members, of: owner, for: relationship)
        }
        let list = LinkList(
            members: members,
            isWhole: transaction.isWhole(membership, in: table, to: destination))
        let stored =
            list.isWhole
            ? try storedMembers(list, of: owner, for: relationship, at: Int(membership.relationship)) : .others
        switch relationship.description.kind {
        case .manyToMany(let join):
            try joins.write(
                list, stored: stored, of: owner, for: relationship, in: join,
                others: joinClaims?.statements(about: membership, of: table, in: join),
                mayReplace: transaction.operations(of: table.origins[row]).contains(.update))
        case .toMany, .toOneInverse:
            try children.write(
                list, stored: stored, at: index, of: owner, for: relationship,
                memberClaims: claims.known(of: Int(membership.relationship), entity: table.entity))
        case .toOne: break
        }
    }
}
