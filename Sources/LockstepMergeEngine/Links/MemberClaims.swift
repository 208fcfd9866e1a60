import LockstepTables

/// The owners of the members of a to-many, if the members hold the foreign key and the records of a batch contradict
/// each other (Rules.md, M16).
///
/// The records of a payload are applied in their order. What one of them states and a later one revokes is never
/// written: the final owner of each member is determined in memory, before any row of the batch is written.
final class MemberClaims {
    /// A list of members in one copy of its owner.
    private struct List {
        let membership: Int
        let owner: KeyFingerprint
        let ownerKey: [Cell]
        let record: Int32
        /// Its members and their positions.
        let members: [(member: LinkMember, position: Int)]
        /// The members that were skipped: they are listed, and neither linked nor unlinked.
        let skipped: Set<KeyFingerprint>
        let isWhole: Bool
        /// When the list is applied. A later one overrides an earlier one.
        var time = 0
    }

    /// A statement about one member.
    private struct Claim {
        /// The owner; `nil` for none.
        var owner: [Cell]?
        var position: Position
        /// The membership that states it; -1 for the member itself.
        var membership: Int
        var time: Int
        /// The member as it is listed; `nil` if it states its owner itself.
        var listed: LinkMember?
    }

    /// A position in an ordered list.
    private enum Position {
        /// The stored position, if the owner is the stored one.
        case stored
        case none
        case at(Int)
    }

    let relationship: MergeRelationship
    private let state: MergeState
    private let transaction: MergeTransaction
    let owners: StagedTable
    private let children: StagedTable
    private let link: MergeRelationship
    private let foreignKey: [Int]
    private var claims: [KeyFingerprint: Claim] = [:]
    /// The first top-level record that gives a member an owner, if members require one.
    private var firstRecords: [KeyFingerprint: Int32] = [:]
    /// The lists of each owner, in order.
    private var listsOfOwner: [KeyFingerprint: [List]] = [:]
    /// The last membership of each owner.
    private var latest: Set<Int> = []

    /// Determines what the batch states.
    init(_ state: MergeState, staged: StagedMembers) throws {
        self.state = state
        transaction = state.transaction
        relationship = staged.relationship
        (owners, children, link) = (staged.owners, staged.children, staged.link)
        foreignKey = link.foreignKey ?? []
        var lists: [List] = []
        for index in staged.memberships() {
            let membership = owners.memberships[index]
            guard try transaction.mayHaveList(Int(membership.row), in: owners) else { continue }
            let members = try transaction.placedMembers(of: membership, in: owners, to: children)
            lists.append(
                list(
                    membership, at: index, members: members,
                    isWhole: transaction.isWhole(membership, in: owners, to: children)))
        }
        try follow(&lists, statingRows: staged.statingRows())
        for (member, claim) in claims where isTakenBack(claim, of: member) {
            claims[member] = Claim(owner: nil, position: .none, membership: -1, time: claim.time, listed: claim.listed)
        }
    }

    private func list(_ membership: StagedMembership, at index: Int, members: [LinkMember?], isWhole: Bool) -> List {
        let row = Int(membership.row)
        var positions: [(LinkMember, Int)] = []
        var skipped: Set<KeyFingerprint> = []
        for case (let position, let member?) in members.enumerated() {
            if member.isSkipped { skipped.insert(member.fingerprint) } else { positions.append((member, position)) }
        }
        return List(
            membership: index, owner: owners.row(row).fingerprint(owners.entity), ownerKey: owners.key(row),
            record: owners.origins[row].record, members: positions, skipped: skipped, isWhole: isWhole)
    }

    // MARK: Applying the records in order

    /// Applies the top-level records in order. In each, what members state themselves is applied before the lists.
    private func follow(_ lists: inout [List], statingRows: [Int32]) throws {
        var (row, time) = (0, 0)
        func applyAll(upTo record: Int32) throws {
            while row < statingRows.count, children.origins[Int(statingRows[row])].record <= record {
                time += 1
                try apply(Int(statingRows[row]), time: time)
                row += 1
            }
        }
        for index in lists.indices {
            try applyAll(upTo: lists[index].record)
            time += 1
            lists[index].time = time
            apply(lists[index])
        }
        try applyAll(upTo: .max)
    }

    private func apply(_ list: List) {
        for (member, position) in list.members {
            claims[member.fingerprint] = Claim(
                owner: list.ownerKey, position: .at(position), membership: list.membership, time: list.time,
                listed: member)
            noteOwner(of: member.fingerprint, in: list.record)
        }
        if let former = listsOfOwner[list.owner]?.last { latest.remove(former.membership) }
        latest.insert(list.membership)
        listsOfOwner[list.owner, default: []].append(list)
    }

    /// Applies what a member states itself about its owner.
    private func apply(_ row: Int, time: Int) throws {
        guard try transaction.mayMerge(row, in: children) else { return }
        let cells = children.row(row)
        let key = foreignKey.map { cells[$0] }
        let member = cells.fingerprint(children.entity)
        let owner = key.allSatisfy(\.isValue) ? key : nil
        var claim = Claim(owner: owner, position: .stored, membership: -1, time: time)
        defer { claims[member] = claim }
        guard let owner else { return claim.position = .none }
        noteOwner(of: member, in: children.origins[row].record)
        if let former = claims[member] {
            let isSame = !isTakenBack(former, of: member) && former.owner?.fingerprint == owner.fingerprint
            claim.position = isSame ? former.position : .none
        } else if !link.isRequired, lists(of: owner.fingerprint, without: member, after: 0) {
            claim.position = .none
        }
    }

    private func noteOwner(of member: KeyFingerprint, in record: Int32) {
        if link.isRequired, firstRecords[member] == nil { firstRecords[member] = record }
    }

    /// Whether a later list of the owner lacks the member.
    private func isTakenBack(_ claim: Claim, of member: KeyFingerprint) -> Bool {
        guard let owner = claim.owner, !link.isRequired else { return false }
        return lists(of: owner.fingerprint, without: member, after: claim.time)
    }

    /// Whether an owner has a list after `time` that lacks a member.
    private func lists(of owner: KeyFingerprint, without member: KeyFingerprint, after time: Int) -> Bool {
        listsOfOwner[owner]?.contains { $0.time > time && $0.isWhole && !$0.skipped.contains(member) } ?? false
    }

    // MARK: The result

    /// Writes the result into the rows of the members, so that it is stored with them. Rows that come before any owner
    /// is stated stay without: if members require one, a later top-level record does not complete them.
    ///
    /// - Parameter merge: The table merge of the members; `nil` if none of them is in the batch.
    func write(into merge: TableMerge?) throws {
        for (member, claim) in claims {
            guard let merge, let first = merge.rows(of: member).first else {
                if claim.owner == nil, let listed = claim.listed { taken.append(listed.key) }
                continue
            }
            let rows = merge.rows(of: member)
            // If only the member itself states its owner, the row has it already.
            if claim.membership < 0, rows.count == 1, case .stored = claim.position { continue }
            if claim.owner == nil, link.isRequired { continue }
            let isLeftToList = try isLeftToList(claim, row: first)
            let firstRecord = firstRecords[member] ?? .min
            for row in rows where children.origins[row].record >= firstRecord {
                merge.rememberRow(row)
                let cells = children.row(row)
                for (part, column) in foreignKey.enumerated() {
                    cells[column] = isLeftToList ? .absent : claim.owner?[part] ?? .null
                }
                if let position = link.positionColumn {
                    cells[position] = isLeftToList ? .absent : cell(claim.position)
                }
            }
        }
    }

    private func cell(_ position: Position) -> Cell {
        switch position {
        case .stored: .absent
        case .none: .null
        case .at(let position): Cell(integer: Int64(position))
        }
    }

    /// Whether local changes decide, when the list is written.
    private func isLeftToList(_ claim: Claim, row: Int) throws -> Bool {
        guard state.local != nil, claim.membership >= 0, !relationship.isEmbedded else { return false }
        return try transaction.isStored(row, in: children)
    }

    /// Whether a member is to be linked as this list states.
    func counts(_ member: KeyFingerprint, in membership: Int) -> Bool { claims[member]?.membership == membership }

    /// Whether the batch states something about the owner of a record, other than by omitting it from a list.
    func isStated(_ member: KeyFingerprint) -> Bool { claims[member] != nil }

    /// Whether a list is the last of its owner.
    func isLatest(_ membership: Int) -> Bool { latest.contains(membership) }

    /// The members without an owner.
    var ownerless: [KeyFingerprint] { claims.filter { $0.value.owner == nil }.map(\.key) }

    /// The members that have an owner, but no position in its list.
    var unpositioned: [KeyFingerprint] {
        claims.filter { claim in
            if case .none = claim.value.position { return claim.value.owner != nil }
            return false
        }.map(\.key)
    }

    /// The keys of members without an owner and without a row in the batch.
    private(set) var taken: [[Cell]] = []
}
