import LockstepStore

/// Whose the members of a to-many are that hold the key of the link, where the records of a batch say different things
/// of it (Rules.md, M16).
///
/// A payload means what its records mean one after the other. What one of them says and a later one takes back is never
/// written: who has a member in the end is found out here, in memory, before anything of the batch is written.
final class MemberClaims {
    /// A list of members, as one copy of its owner has it.
    private struct List {
        let membership: Int
        let owner: KeyFingerprint
        let ownerKey: [Cell]
        let record: Int32
        /// Its members and their places.
        let members: [(member: LinkMember, place: Int)]
        /// Those that were skipped: they are listed, and neither linked nor let go.
        let skipped: Set<KeyFingerprint>
        let isWhole: Bool
        /// When it counts; a later one counts more.
        var time = 0
    }

    /// What is said of one member.
    private struct Claim {
        /// `nil` for none.
        var owner: [Cell]?
        var place: Place
        /// The membership that says so; -1 for the member itself.
        var membership: Int
        var time: Int
        /// The member as it is listed; `nil` where it says itself.
        var listed: LinkMember?
    }

    /// A place in an ordered list.
    private enum Place {
        /// As it is in the store, if the owner is.
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
    /// The lists of each owner, in their order.
    private var listsOfOwner: [KeyFingerprint: [List]] = [:]
    /// The memberships that are an owner's last.
    private var latest: Set<Int> = []

    /// Finds out what is said.
    init(_ state: MergeState, _ staged: StagedMembers) throws {
        self.state = state
        transaction = state.transaction
        relationship = staged.relationship
        (owners, children, link) = (staged.owners, staged.children, staged.link)
        foreignKey = link.foreignKey ?? []
        var lists: [List] = []
        for place in staged.memberships() {
            let membership = owners.memberships[place]
            guard try transaction.mayHaveList(Int(membership.row), owners) else { continue }
            let members = try transaction.placedMembers(of: membership, owners, children)
            lists.append(list(membership, place, members, transaction.isWhole(membership, owners, children)))
        }
        try follow(&lists, staged.tellers())
        for (member, claim) in claims where isTakenBack(claim, of: member) {
            claims[member] = Claim(owner: nil, place: .none, membership: -1, time: claim.time, listed: claim.listed)
        }
    }

    private func list(
        _ membership: StagedMembership, _ place: Int, _ members: [LinkMember?], _ isWhole: Bool
    ) -> List {
        let row = Int(membership.row)
        var places: [(LinkMember, Int)] = []
        var skipped: Set<KeyFingerprint> = []
        for case (let place, let member?) in members.enumerated() {
            if member.isSkipped { skipped.insert(member.fingerprint) } else { places.append((member, place)) }
        }
        return List(
            membership: place, owner: owners.row(row).fingerprint(owners.entity), ownerKey: owners.key(row),
            record: owners.origins[row].record, members: places, skipped: skipped, isWhole: isWhole)
    }

    // MARK: One after the other

    /// Goes through the records at the top in their order: first what the members in one say themselves counts, then
    /// the lists in it.
    private func follow(_ lists: inout [List], _ tellers: [Int32]) throws {
        var (row, time) = (0, 0)
        func tellAll(upTo record: Int32) throws {
            while row < tellers.count, children.origins[Int(tellers[row])].record <= record {
                time += 1
                try tell(Int(tellers[row]), time)
                row += 1
            }
        }
        for place in lists.indices {
            try tellAll(upTo: lists[place].record)
            time += 1
            lists[place].time = time
            take(lists[place])
        }
        try tellAll(upTo: .max)
    }

    private func take(_ list: List) {
        for (member, place) in list.members {
            claims[member.fingerprint] = Claim(
                owner: list.ownerKey, place: .at(place), membership: list.membership, time: list.time, listed: member)
        }
        if let former = listsOfOwner[list.owner]?.last { latest.remove(former.membership) }
        latest.insert(list.membership)
        listsOfOwner[list.owner, default: []].append(list)
    }

    /// A member says itself whose it is.
    private func tell(_ row: Int, _ time: Int) throws {
        guard try transaction.mayMerge(row, children) else { return }
        let cells = children.row(row)
        let key = foreignKey.map { cells[$0] }
        let member = cells.fingerprint(children.entity)
        let owner = key.allSatisfy(\.isValue) ? key : nil
        var claim = Claim(owner: owner, place: .stored, membership: -1, time: time)
        defer { claims[member] = claim }
        guard let owner else { return claim.place = .none }
        if let former = claims[member] {
            let isSame = !isTakenBack(former, of: member) && former.owner?.fingerprint == owner.fingerprint
            claim.place = isSame ? former.place : .none
        } else if !link.isRequired, lists(of: owner.fingerprint, without: member, after: 0) {
            claim.place = .none
        }
    }

    /// Whether a list of the owner's lacks the member that came to it before.
    private func isTakenBack(_ claim: Claim, of member: KeyFingerprint) -> Bool {
        guard let owner = claim.owner, !link.isRequired else { return false }
        return lists(of: owner.fingerprint, without: member, after: claim.time)
    }

    /// Whether an owner has a list behind `time` from which a member is missing.
    private func lists(of owner: KeyFingerprint, without member: KeyFingerprint, after time: Int) -> Bool {
        listsOfOwner[owner]?.contains { $0.time > time && $0.isWhole && !$0.skipped.contains(member) } ?? false
    }

    // MARK: What comes of it

    /// Puts what counts into the rows of the members, so that it is written with them.
    ///
    /// - Parameter merge: That of the members; `nil` where none is in the batch.
    func write(into merge: TableMerge?) throws {
        for (member, claim) in claims {
            guard let merge, let first = merge.rows(of: member).first else {
                if claim.owner == nil, let listed = claim.listed { taken.append(listed.key) }
                continue
            }
            let rows = merge.rows(of: member)
            // What it says itself, and nothing else does, is there already.
            if claim.membership < 0, rows.count == 1, case .stored = claim.place { continue }
            if claim.owner == nil, link.isRequired { continue }
            let isLeftToList = try isLeftToList(claim, first)
            for row in rows {
                merge.rememberRow(row)
                let cells = children.row(row)
                for (part, column) in foreignKey.enumerated() {
                    cells[column] = isLeftToList ? .absent : claim.owner?[part] ?? .null
                }
                if let place = link.positionColumn {
                    cells[place] = isLeftToList ? .absent : cell(claim.place)
                }
            }
        }
    }

    private func cell(_ place: Place) -> Cell {
        switch place {
        case .stored: .absent
        case .none: .null
        case .at(let place): Cell(integer: Int64(place))
        }
    }

    /// Whether what was changed here decides when the list is followed.
    private func isLeftToList(_ claim: Claim, _ row: Int) throws -> Bool {
        guard state.local != nil, claim.membership >= 0, !relationship.isEmbedded else { return false }
        return try transaction.isStored(row, children)
    }

    /// Whether a member is to be linked as this list says.
    func counts(_ member: KeyFingerprint, in membership: Int) -> Bool { claims[member]?.membership == membership }

    /// Whether something is said of a record beside its being missing from a list.
    func isTold(_ member: KeyFingerprint) -> Bool { claims[member] != nil }

    /// Whether a list is the last of its owner's.
    func isLatest(_ membership: Int) -> Bool { latest.contains(membership) }

    /// The members that are nobody's.
    var ownerless: [KeyFingerprint] { claims.filter { $0.value.owner == nil }.map(\.key) }

    /// The members that have an owner, and no place in its list.
    var placeless: [KeyFingerprint] {
        claims.filter { claim in
            if case .none = claim.value.place { return claim.value.owner != nil }
            return false
        }.map(\.key)
    }

    /// The keys of those that are nobody's and not in the batch themselves.
    private(set) var taken: [[Cell]] = []
}
