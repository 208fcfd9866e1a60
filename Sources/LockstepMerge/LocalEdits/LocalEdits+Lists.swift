import LockstepStore

// Lists beside links that were added or taken away here (Rules.md, R3 and R5).
extension LocalEdits {
    /// The list of a many to many as it is to be here: the server's, without what was taken away here, and with what
    /// was added here behind it.
    ///
    /// Where the owner was changed here and the list is ordered, its order may be what was changed: it stays, and what
    /// is new comes behind.
    ///
    /// - Parameter present: Gives the members that the owner has here, in their order.
    func listed(
        _ list: LinkList, of owner: LinkOwner, _ relationship: MergeRelationship,
        present: ([Cell]) throws -> [[Cell]]
    ) throws -> LinkList {
        let key = owner.key
        // Where no link is noted by itself, the list goes with the record that it is embedded in.
        if !owner.entity.plan.travels, isUnnoted(relationship), try keepsEmbedded(in: owner) {
            let members = try present(key).map { LinkMember(key: $0) }
            return LinkList(members: members, isEmbedded: list.isEmbedded, isWhole: list.isWhole)
        }
        guard let edits = try edits(of: relationship, owner.entity), let links = try edits.links(of: key) else {
            return try ordered(list, of: owner, relationship, present)
        }
        var members = try list.members.filter { try !links.isRemoved($0.key) }
        var listed = Set(members.map(\.fingerprint))
        for member in try present(key) where try links.isAdded(member) {
            if listed.insert(member.fingerprint).inserted { members.append(LinkMember(key: member)) }
        }
        try edits.settle(links, of: key, list.members.map(\.key), isWhole: list.isWhole)
        return try ordered(
            LinkList(members: members, isEmbedded: list.isEmbedded, isWhole: list.isWhole), of: owner, relationship,
            present)
    }

    private func isUnnoted(_ relationship: MergeRelationship) -> Bool {
        guard case .manyToMany(let join) = relationship.description.kind else { return false }
        return links.contains { link in
            guard !link.isNoted, case .joinTable(join) = link.storage else { return false }
            return true
        }
    }

    private func ordered(
        _ list: LinkList, of owner: LinkOwner, _ relationship: MergeRelationship, _ present: ([Cell]) throws -> [[Cell]]
    ) throws -> LinkList {
        guard relationship.description.isOrdered else { return list }
        guard try keepsOrder(of: owner) else {
            noteList(of: owner, relationship, isSame: true)
            return list
        }
        var places: [KeyFingerprint: Int] = [:]
        for (place, member) in try present(owner.key).enumerated() { places[member.fingerprint] = place }
        let sorted = list.members.enumerated().sorted { left, right in
            let (one, other) = (places[left.element.fingerprint], places[right.element.fingerprint])
            return (one ?? .max, left.offset) < (other ?? .max, right.offset)
        }.map(\.element)
        let isSame = sorted.map(\.fingerprint) == list.members.map(\.fingerprint)
        noteList(of: owner, relationship, isSame: isSame)
        return LinkList(members: sorted, isEmbedded: list.isEmbedded, isWhole: list.isWhole)
    }

    /// Takes note of whether the children of an owner that was changed here are in the order that the server lists.
    func noteOrder(
        of owner: LinkOwner, _ relationship: MergeRelationship, _ children: MergeEntity, _ list: LinkList
    ) throws {
        guard relationship.description.isOrdered, let inverse = relationship.inverse,
            let foreignKey = children.relationships[inverse].foreignKey,
            let place = children.relationships[inverse].positionColumn,
            try edits(of: owner.entity)?.pending(of: owner.key) != nil
        else { return }
        let plan = children.plan
        let names = { (columns: [Int]) in columns.map { plan.columns[$0].name } }
        let keys = names(plan.keyColumns).map(SQLName.quoted).joined(separator: ", ")
        let select = try RawStatement(
            """
            SELECT \(keys) FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names(foreignKey))) \
            ORDER BY \(SQLName.quoted(plan.columns[place].name))
            """, transaction.database)
        select.bind(owner.key)
        var present: [KeyFingerprint] = []
        while try select.step() { present.append(select.fingerprint(ofFirst: plan.keyColumns.count)) }
        noteList(of: owner, relationship, isSame: present == list.members.map(\.fingerprint))
    }

    /// What is pending of the records that an owner lists, and of their links to it; `nil` where nothing is.
    func childEdits(
        of owner: LinkOwner, _ relationship: MergeRelationship, _ children: MergeEntity, _ list: LinkList
    ) throws -> ChildEdits? {
        let key = owner.key
        let edits = try edits(of: relationship, owner.entity)
        let links = try edits?.links(of: key)
        if let edits, let links {
            try edits.settle(links, of: key, list.members.map(\.key), isWhole: list.isWhole)
        }
        let keepsOrder = try relationship.description.isOrdered && keepsOrder(of: owner)
        let isChangedWithOwner =
            try !children.plan.travels && keepsEmbedded(in: owner, isNoted: children.plan.isTracked)
        let records = try self.edits(of: children)
        if links == nil, records == nil, !keepsOrder, !isChangedWithOwner { return nil }
        return ChildEdits(
            owner: key, relationship: relationship, children: children, links: links, records: records,
            keepsOrder: keepsOrder, isChangedWithOwner: isChangedWithOwner)
    }
}

/// What is pending of the records that an owner lists by their own foreign keys.
struct ChildEdits {
    let owner: [Cell]
    let relationship: MergeRelationship
    let children: MergeEntity
    let links: LinkEdits?
    let records: EntityEdits?
    /// Whether the order may have been changed here.
    let keepsOrder: Bool
    /// Whether the list goes to the server as a part of the owner, which was changed here.
    let isChangedWithOwner: Bool

    private var foreignKey: [Int] {
        relationship.inverse.flatMap { children.relationships[$0].foreignKey } ?? []
    }

    /// Whether a record that the server lists is linked: not one that was taken away here, or given to another owner.
    func mayLink(_ child: [Cell]) throws -> Bool {
        if try links?.isRemoved(child) == true { return false }
        guard let records, let pending = try records.pending(of: child), pending.change == .update,
            let base = try records.base(of: child), let local = try records.local(of: child)
        else { return true }
        let remote: [Cell?] = base.indices.map { column in foreignKey.firstIndex(of: column).map { owner[$0] } }
        let rows = ThreeWay(base: base, local: local, remote: remote, isSame: records.isSame)
        let decision = rows.decide(records.units) { pending.isUnclaimed ? .here : records.winner(of: rows) }
        if let newBase = records.newBase(rows) { try records.writeBase(newBase) }
        records.noteMerged(child)
        return !foreignKey.contains(where: decision.kept.contains)
    }

    /// Whether a record that the server does not list came to the owner here.
    func isAdded(_ child: [Cell]) throws -> Bool {
        if isChangedWithOwner { return true }
        if try links?.isAdded(child) == true { return true }
        guard let records, try records.pending(of: child) != nil,
            children.plan.travelsInside || children.plan.relationships[relationship.inverse ?? 0].wire != .none,
            let base = try records.base(of: child)
        else { return false }
        return !zip(foreignKey, owner).allSatisfy { records.isSame($0, base[$0], $1) }
    }

    /// The server has a record without owner now, and so have we.
    func noteUnlinked(_ child: [Cell]) throws {
        guard let records, try records.pending(of: child) != nil,
            var base = try records.base(of: child)
        else { return }
        for column in foreignKey { base[column] = .null }
        try records.writeBase(base)
        records.noteMerged(child)
    }
}

extension EntityEdits {
    /// The record as it is here; `nil` where it is not.
    func local(of key: [Cell]) throws -> [Cell]? {
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return entity.plan.columns.indices.map { find.cell($0).copied(to: transaction.staging.arena) }
    }
}
