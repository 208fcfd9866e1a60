import GRDB
import LockstepStore

/// Gives to-many relationships exactly the members that the payload lists (Rules.md, R3 to R6).
final class LinkMerge {
    private let transaction: MergeTransaction
    private let claims: MembershipClaims
    private let children: ChildLinks
    private let joins: JoinLinks
    private let owned: OwnedRecords
    private var joinClaims: JoinClaims?
    /// Whether the claims of the batch were determined.
    private var isClaimed = false

    init(_ state: MergeState) {
        transaction = state.transaction
        claims = MembershipClaims(state)
        (children, joins, owned) = (ChildLinks(state, claims), JoinLinks(state), OwnedRecords(state))
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
        (isClaimed, joinClaims) = (false, nil)
        claims.removeAll()
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
        let destination = transaction.staging.tables[relationship.destination]
        let members = try transaction.placedMembers(of: membership, table, destination).compactMap { $0 }
        if destination.entity.isOwned {
            return try owned.write(members, of: owner, relationship)
        }
        let list = LinkList(
            members: members,
            isWhole: transaction.isWhole(membership, table, destination))
        switch relationship.description.kind {
        case .manyToMany(let join):
            try joins.write(
                list, of: owner, relationship, join, joinClaims?.statements(about: membership, of: table, join),
                mayReplace: transaction.operations(of: table.origins[row]).contains(.update))
        case .toMany, .toOneInverse:
            try children.write(
                list, at: index, of: owner, relationship,
                claims.known(of: Int(membership.relationship), table.entity))
        case .toOne: break
        }
    }
}
