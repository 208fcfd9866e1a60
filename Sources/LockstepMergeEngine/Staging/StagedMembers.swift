import LockstepTables

/// The statements of a batch about one to-many whose members hold the foreign key: in the owners' lists, and in the
/// members.
struct StagedMembers {
    let owners: StagedTable
    let children: StagedTable
    /// The index of the relationship in the owners' entity.
    let index: Int
    let relationship: MergeRelationship
    /// The to-one of the members.
    let link: MergeRelationship
    /// The rows that state their owner without being embedded in it.
    let referencingRows: [Int32]
    /// Whether an owner has a list.
    let hasLists: Bool
    /// Whether one of them has an owner, rather than stating that it has none.
    let namesOwner: Bool

    /// Returns `nil` if the members do not hold the foreign key.
    init?(_ owners: StagedTable, index: Int, hasLists: Bool, staging: Staging) {
        let relationship = owners.entity.relationships[index]
        let children = staging.tables[relationship.destination]
        guard let inverse = relationship.inverse, !children.entity.isOwned,
            let column = children.entity.relationships[inverse].foreignKey?.first
        else { return nil }
        var referencingRows: [Int32] = []
        var namesOwner = false
        for row in 0..<children.count {
            let cell = children.row(row)[column]
            if cell.kind == .absent || Self.isEmbedded(row, of: children, in: owners, for: index) { continue }
            referencingRows.append(Int32(row))
            if cell.isValue { namesOwner = true }
        }
        (self.owners, self.children, self.index, self.relationship) = (owners, children, index, relationship)
        link = children.entity.relationships[inverse]
        (self.hasLists, self.referencingRows, self.namesOwner) = (hasLists, referencingRows, namesOwner)
    }

    @inline(__always)
    private static func isEmbedded(
        _ row: Int, of children: StagedTable, in owners: StagedTable, for relationship: Int
    ) -> Bool {
        let origin = children.origins[row]
        return Int(origin.ownerTable) == owners.entity.index && Int(origin.relationship) == relationship
            && !origin.isNoMember
    }

    /// Whether some members of the lists are records, and some are identities.
    var hasRecordsAndIdentities: Bool {
        var (hasRecords, hasIdentities) = (false, false)
        for list in owners.memberships where Int(list.relationship) == index {
            for member in owners.members(of: list) {
                if member.row >= 0 { hasRecords = true } else { hasIdentities = true }
            }
        }
        return hasRecords && hasIdentities
    }

    /// The rows that state their owner, and those that are embedded in it, in order.
    func statingRows() -> [Int32] {
        var statingRows: [Int32] = []
        var next = 0
        for row in 0..<children.count {
            if next < referencingRows.count, Int(referencingRows[next]) == row {
                next += 1
            } else if !Self.isEmbedded(row, of: children, in: owners, for: index) {
                continue
            }
            statingRows.append(Int32(row))
        }
        return statingRows
    }

    /// The indexes of the lists among those of the owners' table, in the order of their owners.
    func memberships() -> [Int] {
        let all = owners.memberships
        let lists = all.indices.filter { Int(all[$0].relationship) == index }
        return lists.sorted { (all[$0].row, $0) < (all[$1].row, $1) }
    }
}
