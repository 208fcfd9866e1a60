import GRDB
import LockstepTables

// The members of lists in the store, read by one scan.
extension LinkMerge {
    /// The owners whose lists of a relationship may differ from those in the store; `nil` if all may.
    ///
    /// The store has all records of the batch with the owners that they are embedded in. So a list differs only if its
    /// owner has other records.
    func findOtherOwners(of index: Int, in table: StagedTable) -> OtherOwners? {
        let relationship = table.entity.relationships[index]
        let children = transaction.staging.tables[relationship.destination]
        // Members that are identities have no rows, and may wait for their records.
        guard let otherOwners = children.otherOwners, let inverse = relationship.keyHoldingInverse,
            !relationship.description.listsIdentities, table.hasEachListOnce, transaction.staging.skipCount == 0,
            claims.known(of: index, entity: table.entity) == nil
        else { return nil }
        // All records of the table are members.
        var memberCount = 0
        for membership in table.memberships where Int(membership.relationship) == index {
            memberCount += membership.count
        }
        let linkCount = children.links.count { $0.isOwner && Int($0.relationship) == inverse }
        return memberCount == children.count && linkCount == children.count ? otherOwners : nil
    }

    /// Reads the stored members of the lists of a relationship; `nil` if they are to be read one by one.
    func readStoredLists(of index: Int, in table: StagedTable) throws -> StoredLists? {
        guard table.hasEachListOnce,
            let links = Links(
                of: index, entity: table.entity, plan: transaction.plan, hasBothEnds: hasBothEnds,
                hasLocalChanges: state.local != nil)
        else { return nil }
        var owners: [KeyFingerprint] = []
        var memberCount = 0
        for membership in table.memberships where Int(membership.relationship) == index {
            owners.append(table.row(Int(membership.row)).fingerprint(table.entity))
            memberCount += membership.count
        }
        guard owners.count >= StoredLists.fewestLists,
            try TableSizeProbe(of: links.table, in: transaction.database)
                .favorsScan(overLookups: owners.count + memberCount)
        else { return nil }
        let columns = (links.owner + links.member + (links.position.map { [$0] } ?? [])).map(SQLName.quoted)
        return try StoredLists(
            of: owners,
            links: RawStatement(
                "SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(links.table))",
                in: transaction.database),
            ownerColumns: links.owner.count, memberColumns: links.member.count, isOrdered: links.position != nil)
    }

    /// Where the links of a relationship are stored.
    private struct Links {
        let table: String
        let owner: [String]
        let member: [String]
        let position: String?

        /// Returns `nil` if an owner may get links from another record's list, or from local changes.
        init?(of index: Int, entity: MergeEntity, plan: MergePlan, hasBothEnds: Bool, hasLocalChanges: Bool) {
            let relationship = entity.relationships[index]
            let children = plan.entities[relationship.destination]
            if case .manyToMany(let join) = relationship.description.kind {
                if join.isSymmetric || join.isToOne || hasBothEnds || hasLocalChanges { return nil }
                (table, owner, member) = (join.table, join.sourceColumns, join.destinationColumns)
                position = join.position
                return
            }
            guard let inverse = relationship.inverse, !children.isOwned,
                let foreignKey = children.relationships[inverse].foreignKey
            else { return nil }
            let columns = children.plan.columns
            table = children.plan.table
            owner = foreignKey.map { columns[$0].name }
            member = children.plan.keyColumns.map { columns[$0].name }
            position = nil
        }
    }
}
