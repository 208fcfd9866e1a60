import LockstepTables

/// The owners of the members of a batch's lists, if its records contradict each other (Rules.md, M16).
final class MembershipClaims {
    struct Relationship: Hashable {
        let entity: Int
        let relationship: Int
    }

    private let state: MergeState
    private let transaction: MergeTransaction
    /// The to-many relationships of the batch whose members hold the foreign key.
    private var staged: [StagedMembers]?
    /// The owners of the members about which the batch contradicts itself.
    private(set) var claims: [Relationship: MemberClaims] = [:]

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
    }

    /// Forgets the batch.
    func removeAll() {
        staged = nil
        claims.removeAll()
    }

    /// Determines the owners of the members, and writes them into the rows.
    ///
    /// - Returns: Whether there are any.
    func resolve(_ merges: [TableMerge]) throws -> Bool {
        let merges = Dictionary(uniqueKeysWithValues: merges.map { ($0.entity.index, $0) })
        if staged == nil {
            staged = stagedMembers(merges)
        }
        claims.removeAll()
        for members in staged ?? [] where isContested(members, merges: merges) {
            let found = try MemberClaims(state, staged: members)
            claims[Self.relationship(of: members)] = found
            try found.write(into: merges[members.children.entity.index])
        }
        return !claims.isEmpty
    }

    /// The owners of the members of a relationship; `nil` if the batch does not contradict itself about them.
    func known(of relationship: Int, entity: MergeEntity) -> MemberClaims? {
        claims.isEmpty ? nil : claims[Relationship(entity: entity.index, relationship: relationship)]
    }

    private static func relationship(of members: StagedMembers) -> Relationship {
        Relationship(entity: members.owners.entity.index, relationship: members.index)
    }

    /// The relationships that have lists, and those whose members may state different positions.
    private func stagedMembers(_ merges: [Int: TableMerge]) -> [StagedMembers] {
        var found: Set<Relationship> = []
        var staged: [StagedMembers] = []
        let add = { (owners: StagedTable, index: Int, hasLists: Bool) in
            guard found.insert(Relationship(entity: owners.entity.index, relationship: index)).inserted,
                let members = StagedMembers(owners, index: index, hasLists: hasLists, staging: self.transaction.staging)
            else { return }
            staged.append(members)
        }
        for table in transaction.staging.tables where !table.memberships.isEmpty {
            var indexes: Set<Int16> = []
            for membership in table.memberships { indexes.insert(membership.relationship) }
            for index in indexes.sorted() { add(table, Int(index), true) }
        }
        for merge in merges.values where !merge.isEachOnce {
            for link in merge.entity.relationships where link.positionColumn != nil {
                if let inverse = link.inverse { add(transaction.staging.tables[link.destination], inverse, false) }
            }
        }
        return staged
    }

    /// Whether the batch may contradict itself about members. Two lists of identities that share a member are detected
    /// only when something is to be written, which is rare.
    private func isContested(_ members: StagedMembers, merges: [Int: TableMerge]) -> Bool {
        let isChildOnce = merges[members.children.entity.index]?.isEachOnce ?? true
        guard members.hasLists else { return !isChildOnce && !members.referencingRows.isEmpty }
        let isOwnerOnce =
            merges[members.owners.entity.index]?.isEachOnce ?? true && members.owners.hasListsOfDistinctRows
        guard isOwnerOnce else { return true }
        let description = members.relationship.description
        return description.listsIdentities && !members.referencingRows.isEmpty
            || description.listsRecords && (!isChildOnce || members.namesOwner)
            // A record in one list can be an identity in another one.
            || description.listsIdentities && description.listsRecords && members.hasRecordsAndIdentities
    }

    /// The owners of the members of lists that are to be applied.
    func claims(ofListAt index: Int, of table: StagedTable) throws -> MemberClaims? {
        let relationship = table.memberships[index].relationship
        let key = Relationship(entity: table.entity.index, relationship: Int(relationship))
        if let known = claims[key] { return known }
        let others = table.memberships.indices.lazy.filter {
            $0 != index && table.memberships[$0].relationship == relationship
        }
        guard !others.isEmpty, let members = staged?.first(where: { Self.relationship(of: $0) == key })
        else { return nil }
        let found = try MemberClaims(state, staged: members)
        claims[key] = found
        return found
    }

    /// Of several lists of the same relationship of a record, the last that is merged: the one whose owner begins last.
    /// All of them if their members were determined. Indexes into the table's memberships.
    func latest(_ table: StagedTable) -> [Int] {
        let all = table.memberships
        if table.hasEachListOnce, transaction.staging.skipCount == 0 { return Array(all.indices) }
        var seen: Set<OwnerRelationship> = []
        seen.reserveCapacity(all.count)
        var latest: [Int] = []
        latest.reserveCapacity(all.count)
        for index in all.indices.sorted(by: { (all[$0].row, $0) > (all[$1].row, $1) })
        where !transaction.staging.isSkipped(Int(all[index].row), of: table.entity.index) {
            let (row, relationship) = (Int(all[index].row), all[index].relationship)
            let owner = OwnerRelationship(
                owner: table.row(row).fingerprint(table.entity), relationship: relationship)
            let isResolved =
                claims[Relationship(entity: table.entity.index, relationship: Int(relationship))] != nil
            if seen.insert(owner).inserted || isResolved { latest.append(index) }
        }
        return latest.reversed()
    }

    private struct OwnerRelationship: Hashable {
        let owner: KeyFingerprint
        let relationship: Int16
    }
}
