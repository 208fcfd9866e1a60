import LockstepEvolution
import LockstepTables

// Lists with links that were added or removed locally (Rules.md, R3 and R5).
extension LocalEdits {
    /// The list of a many to many after the merge: the server's, without members that were removed locally, followed by
    /// those that were added locally (Rules.md, C2).
    ///
    /// If the owner was changed locally and the list is ordered, its order may be what was changed: the order is kept,
    /// and new members are appended.
    ///
    /// - Parameter present: Returns the owner's current members, in order.
    func listed(
        _ list: LinkList, of owner: LinkOwner, for relationship: MergeRelationship, present: ([Cell]) throws -> [[Cell]]
    ) throws -> LinkList {
        let key = owner.key
        // If links have no pending changes of their own, the list is sent with the record that it is embedded in.
        if !owner.entity.plan.travels, isSentWithOwner(relationship), try keepsEmbedded(in: owner) {
            let members = try present(key).map { LinkMember(key: $0) }
            return LinkList(members: members, isWhole: list.isWhole)
        }
        guard let edits = try edits(of: relationship, entity: owner.entity) else {
            return try ordered(list, of: owner, for: relationship, present: present)
        }
        let pending = try PendingLinks(edits, of: key, relationship: relationship)
        var members: [LinkMember] = []
        var decided: Set<KeyFingerprint> = []
        for member in list.members {
            let isAdded = try pending.isAdded(member.key)
            if isAdded != nil { decided.insert(member.fingerprint) }
            if isAdded != false { members.append(member) }
        }
        var listed = Set(list.members.map(\.fingerprint))
        for member in try present(key) {
            guard listed.insert(member.fingerprint).inserted, let isAdded = try pending.isAdded(member) else {
                continue
            }
            decided.insert(member.fingerprint)
            if isAdded { members.append(LinkMember(key: member)) }
        }
        members = try pending.withoutRivals(members)
        if let links = pending.links {
            try edits.confirm(links, of: key, members: list.members.map(\.key), isWhole: list.isWhole)
            // The server has another partner than the one that was set locally: undoing the change leads back to it.
            for rival in list.members where try pending.isReplaced(rival, by: members) {
                try edits.noteRemoval(of: rival.key, from: key)
            }
        }
        return try ordered(
            LinkList(
                members: members, isWhole: list.isWhole, decidedLocally: decided),
            of: owner, for: relationship, present: present)
    }

    /// The links of an owner that were added or removed locally. Of a symmetric link, each direction is a change of its
    /// own record: if one is confirmed, the other may still be pending.
    private struct PendingLinks {
        let links: LinkEdits?
        private let edits: ListEdits
        private let owner: [Cell]
        private let isSymmetric: Bool
        private let isToOne: Bool

        init(_ edits: ListEdits, of owner: [Cell], relationship: MergeRelationship) throws {
            (self.edits, self.owner) = (edits, owner)
            links = try edits.links(of: owner)
            if case .manyToMany(let join) = relationship.description.kind {
                (isSymmetric, isToOne) = (join.isSymmetric, join.isToOne)
            } else {
                (isSymmetric, isToOne) = (false, false)
            }
        }

        /// The member of a to-one: the one that was linked locally, otherwise the server's, unless that was linked to
        /// another record locally.
        func withoutRivals(_ members: [LinkMember]) throws -> [LinkMember] {
            guard isToOne else { return members }
            if let added = try members.last(where: { try isAdded($0.key) == true }) { return [added] }
            return try members.filter { try edits.links(of: $0.key)?.hasAdditions != true }
        }

        /// Whether the owner was linked to another record locally than to the one that the server states.
        func isReplaced(_ rival: LinkMember, by members: [LinkMember]) throws -> Bool {
            guard isToOne, let member = members.first, member.fingerprint != rival.fingerprint else { return false }
            return try links?.change(of: member.key) == true && isAdded(rival.key) == nil
        }

        /// Whether a link was added or removed; `nil` if neither.
        func isAdded(_ member: [Cell]) throws -> Bool? {
            if let isAdded = try links?.change(of: member) { return isAdded }
            return isSymmetric ? try edits.links(of: member)?.change(of: owner) : nil
        }
    }

    private func isSentWithOwner(_ relationship: MergeRelationship) -> Bool {
        guard case .manyToMany(let join) = relationship.description.kind else { return false }
        return links.contains { link in
            guard !link.isNoted, case .joinTable(join) = link.storage else { return false }
            return true
        }
    }

    private func ordered(
        _ list: LinkList, of owner: LinkOwner, for relationship: MergeRelationship, present: ([Cell]) throws -> [[Cell]]
    ) throws -> LinkList {
        guard relationship.description.isOrdered else { return list }
        let isKept = try keepsOrder(of: owner)
        guard try isKept || isMarked(owner) else {
            recordList(of: owner, for: relationship, isSame: true)
            return list
        }
        var positions: [KeyFingerprint: Int] = [:]
        for (position, member) in try present(owner.key).enumerated() { positions[member.fingerprint] = position }
        let sorted = list.members.enumerated().sorted { left, right in
            let (one, other) = (positions[left.element.fingerprint], positions[right.element.fingerprint])
            return (one ?? .max, left.offset) < (other ?? .max, right.offset)
        }.map(\.element)
        let isSame = sorted.map(\.fingerprint) == list.members.map(\.fingerprint)
        if !isSame { try noteConflict(of: owner, for: relationship, what: "order", isKept: isKept) }
        recordList(of: owner, for: relationship, isSame: isSame || !isKept)
        if !isKept { return list }
        return LinkList(
            members: sorted, isWhole: list.isWhole, decidedLocally: list.decidedLocally)
    }

    /// Registers whether the children of an owner that was changed locally are in the order that the server lists.
    func recordOrder(
        of owner: LinkOwner, for relationship: MergeRelationship, children: MergeEntity, list: LinkList
    ) throws {
        guard relationship.description.isOrdered, let inverse = relationship.inverse,
            let foreignKey = children.relationships[inverse].foreignKey,
            let position = children.relationships[inverse].positionColumn,
            try edits(of: owner.entity)?.pending(of: owner.key) != nil
        else { return }
        let present = try self.present(in: owner, foreignKey: foreignKey, at: position, children: children)
        recordList(of: owner, for: relationship, isSame: present == list.members.map(\.fingerprint))
    }

    /// The children of an owner, in their order.
    private func present(
        in owner: LinkOwner, foreignKey: [Int], at position: Int, children: MergeEntity
    ) throws -> [KeyFingerprint] {
        let plan = children.plan
        let names = { (columns: [Int]) in columns.map { plan.columns[$0].name } }
        let keys = names(plan.keyColumns).map(SQLName.quoted).joined(separator: ", ")
        let select = try RawStatement(
            """
            SELECT \(keys) FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names(foreignKey))) \
            ORDER BY \(SQLName.quoted(plan.columns[position].name))
            """, in: transaction.database)
        select.bind(owner.key)
        var present: [KeyFingerprint] = []
        while try select.step() { present.append(select.fingerprint(ofKey: 0..<plan.keyColumns.count)) }
        return present
    }

    /// Notes that the children of an owner are in another order than the server lists, if it was changed locally.
    private func noteOrder(
        of owner: LinkOwner, for relationship: MergeRelationship, children: MergeEntity, list: LinkList, isKept: Bool
    ) throws {
        guard try isMarked(owner), let inverse = relationship.inverse,
            let foreignKey = children.relationships[inverse].foreignKey,
            let position = children.relationships[inverse].positionColumn
        else { return }
        let (present, listed) = (
            try self.present(in: owner, foreignKey: foreignKey, at: position, children: children),
            list.members.map(\.fingerprint)
        )
        // Members are added and removed without a conflict.
        let (here, there) = (Set(present), Set(listed))
        guard present.filter(there.contains) != listed.filter(here.contains) else { return }
        try noteConflict(of: owner, for: relationship, what: "order", isKept: isKept)
    }

    /// Whether something of an owner was changed locally that is recorded nowhere else: an order, or what it embeds.
    private func isMarked(_ owner: LinkOwner) throws -> Bool {
        guard let pending = try edits(of: owner.entity)?.pending(of: owner.key) else { return false }
        return pending.change == .update && !pending.marks.isEmpty
    }

    /// Notes that a list which counts as one value differs on both sides (Rules.md, C2): what one of them has changed
    /// in it is lost.
    func noteConflict(of owner: LinkOwner, for relationship: MergeRelationship, what: String, isKept: Bool) throws {
        guard try isKept || isMarked(owner) else { return }
        let outcome = isKept ? "the local one was kept" : "the server's was taken"
        let plan = owner.entity.plan
        transaction.recorder.note(
            MergeNote(
                .conflict, entity: plan.name, record: RecordKey(owner.key.map(\.databaseValue)).text,
                text: """
                    both sides have another \(what) of \(relationship.description.name), which counts as one value: \(outcome)
                    """))
    }

    /// The pending changes of the records that an owner lists, and of their links to it; `nil` if there are none.
    func childEdits(
        of owner: LinkOwner, for relationship: MergeRelationship, children: MergeEntity, list: LinkList
    ) throws -> ChildEdits? {
        let key = owner.key
        let edits = try edits(of: relationship, entity: owner.entity)
        let links = try edits?.links(of: key)
        if let edits, let links {
            try edits.confirm(links, of: key, members: list.members.map(\.key), isWhole: list.isWhole)
        }
        let keepsOrder = try relationship.description.isOrdered && keepsOrder(of: owner)
        if relationship.description.isOrdered {
            try noteOrder(of: owner, for: relationship, children: children, list: list, isKept: keepsOrder)
        }
        let isChangedWithOwner =
            try !children.plan.travels && keepsEmbedded(in: owner, areTracked: children.plan.isTracked)
        let records = try self.edits(of: children)
        if links == nil, records == nil, !keepsOrder, !isChangedWithOwner { return nil }
        return ChildEdits(
            owner: key, relationship: relationship, children: children, links: links, records: records,
            keepsOrder: keepsOrder, isChangedWithOwner: isChangedWithOwner)
    }
}

/// The pending changes of the records that an owner lists by their own foreign keys.
struct ChildEdits {
    let owner: [Cell]
    let relationship: MergeRelationship
    let children: MergeEntity
    let links: LinkEdits?
    let records: EntityEdits?
    /// Whether the order may have been changed locally.
    let keepsOrder: Bool
    /// Whether the list is sent as a part of the owner, which was changed locally.
    let isChangedWithOwner: Bool

    private var foreignKey: [Int] {
        relationship.inverse.flatMap { children.relationships[$0].foreignKey } ?? []
    }

    /// Decides whether a record that the server lists is linked, and writes its base. It is not linked if it was
    /// removed locally, or moved to another owner.
    ///
    /// - Parameter counts: Returns whether the owner's list is the one that has the record in the end. If another list
    ///   has it, that one decides: the base must not become the owner that this one states.
    /// - Returns: Whether the record is to be linked.
    func resolveLink(to child: [Cell], counts: () throws -> Bool) throws -> Bool {
        if try links?.isRemoved(child) == true { return false }
        guard let records, let pending = try records.pending(of: child), pending.change == .update,
            let base = try records.base(of: child), let local = try records.local(of: child)
        else { return true }
        guard try counts() else { return false }
        let remote: [Cell?] = base.indices.map { column in foreignKey.firstIndex(of: column).map { owner[$0] } }
        let rows = ThreeWay(base: base, local: local, remote: remote, isSame: records.isSame)
        let decision = rows.decide(records.units) { pending.isUnclaimed ? .local : records.winner(of: rows) }
        if let newBase = records.newBase(rows) { try records.writeBase(newBase) }
        if let conflict = records.conflict(decision, rows: rows, isUnclaimed: pending.isUnclaimed) {
            try records.transaction.report(conflict, of: RecordKey(child.map(\.databaseValue)), in: children.plan)
        }
        records.recordMerged(child)
        return !foreignKey.contains(where: decision.kept.contains)
    }

    /// Whether a record that the server does not list was added to the owner locally.
    func isAdded(_ child: [Cell]) throws -> Bool {
        if isChangedWithOwner { return true }
        if try links?.isAdded(child) == true { return true }
        guard let records, try records.pending(of: child) != nil,
            children.plan.travelsInside || children.plan.relationships[relationship.inverse ?? 0].wire != .none,
            let base = try records.base(of: child)
        else { return false }
        return !zip(foreignKey, owner).allSatisfy { records.isSame($0, left: base[$0], right: $1) }
    }

    /// Registers that a record has no owner, neither on the server nor locally.
    func recordUnlinked(_ child: [Cell]) throws {
        guard let records, try records.pending(of: child) != nil,
            var base = try records.base(of: child)
        else { return }
        for column in foreignKey { base[column] = .null }
        try records.writeBase(base)
        records.recordMerged(child)
    }
}

extension EntityEdits {
    /// The local values of the record; `nil` if it is not in the store.
    func local(of key: [Cell]) throws -> [Cell]? {
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return entity.plan.columns.indices.map { find.cell($0).copied(to: transaction.staging.arena) }
    }
}
