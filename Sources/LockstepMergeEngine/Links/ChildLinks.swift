import GRDB
import LockstepEvolution
import LockstepTables

/// Links records that hold the foreign key to the owner that lists them, and unlinks all others.
final class ChildLinks {
    private let state: MergeState
    private let transaction: MergeTransaction
    private var statements: [Key: Statements] = [:]
    private var latest: (relationship: MergeRelationship, statements: Statements)?
    private let claims: MembershipClaims
    private let waiting: WaitingLinks
    private var scheduledDeletes: [ScheduledDelete: RecordKey] = [:]
    var hasScheduledDeletes: Bool { !scheduledDeletes.isEmpty }
    /// The rows of members that state that they have no owner.
    private var ownerlessRows: [Key: [KeyFingerprint: [Int]]] = [:]
    /// Members of the batch that have no owner, according to its records.
    private var ownerless: [Key: Set<KeyFingerprint>] = [:]
    /// Members that have an owner, but no position in its list.
    private var unpositioned: [Key: Set<KeyFingerprint>] = [:]

    /// A child to be deleted because its owner's list no longer has it. The value is its key.
    private struct ScheduledDelete: Hashable {
        let relationship: Key
        let owner: RecordKey
        let child: KeyFingerprint
    }

    private struct Key: Hashable {
        let entity: Int
        let relationship: Int
    }

    /// The statements for one relationship whose children have the foreign key.
    private struct Statements {
        /// The keys of an owner's children, and the remote identity of each if the server assigns it.
        let children: LazyStatement
        /// The foreign key and the position of a child.
        let link: LazyStatement
        let setLink: LazyStatement
        let unlink: LazyStatement
    }

    init(_ state: MergeState, claims: MembershipClaims) {
        (self.state, self.claims) = (state, claims)
        transaction = state.transaction
        waiting = WaitingLinks(state.transaction)
    }

    /// - Parameters:
    ///   - stored: What the store has of the list.
    ///   - index: The index of the list among those of the owner's table.
    ///   - memberClaims: Whose the members are, if the batch contradicts itself about them.
    func write(
        _ list: LinkList, stored: StoredLists.Members, at index: Int, of owner: LinkOwner,
        for relationship: MergeRelationship, memberClaims: MemberClaims?
    ) throws {
        let children = transaction.plan.entities[relationship.destination]
        let isLatest = memberClaims?.isLatest(index) ?? true
        try write(
            list, stored: stored, at: index, of: owner, for: relationship, children: children,
            memberClaims: memberClaims, isLatest: isLatest)
        if isLatest { try state.local?.recordOrder(of: owner, for: relationship, children: children, list: list) }
    }

    private func write(
        _ list: LinkList, stored: StoredLists.Members, at listIndex: Int, of owner: LinkOwner,
        for relationship: MergeRelationship, children: MergeEntity, memberClaims: MemberClaims?, isLatest: Bool
    ) throws {
        guard let inverse = relationship.inverse, children.relationships[inverse].foreignKey != nil else { return }
        let statements = statements(for: relationship, inverse: inverse, children: children)
        let edits =
            try isLatest ? state.local?.childEdits(of: owner, for: relationship, children: children, list: list) : nil
        if relationship.description.listsIdentities {
            if isLatest { try waiting.forget(owner, for: relationship, except: positions(list, for: relationship)) }
            for (position, member) in list.members.enumerated() where !isLinked(member, for: relationship) {
                if let memberClaims, !memberClaims.counts(member.fingerprint, in: listIndex) { continue }
                let isLinked = try edits?.resolveLink(to: member.key) { try counts(member, in: listIndex, of: owner) }
                guard isLinked ?? true else { continue }
                try link(
                    member, at: position, to: owner, for: relationship, children: children, with: statements,
                    keepsOrder: edits?.keepsOrder ?? false, in: listIndex)
            }
        }
        let scheduledDelete = { (child: KeyFingerprint) in
            ScheduledDelete(
                relationship: Key(entity: children.index, relationship: inverse),
                owner: RecordKey(owner.key.map(\.databaseValue)), child: child)
        }
        if !scheduledDeletes.isEmpty {
            for member in list.members { scheduledDeletes[scheduledDelete(member.fingerprint)] = nil }
        }
        guard list.isWhole, case .others = stored,
            try !hasNoOthers(list.members, of: owner, children: children, with: statements)
        else {
            return
        }
        let listed = Set(list.members.map(\.fingerprint))
        for child in try self.children(of: owner.key, children: children, with: statements)
        where !listed.contains(child.fingerprint) {
            if memberClaims?.isStated(child.fingerprint) == true { continue }
            guard try !state.isOnlyLocal(child, of: children) else { continue }
            if let edits, try edits.isAdded(child) { continue }
            if relationship.isEmbedded, mayDelete(child, for: relationship, children: children) {
                // A later piece may have it in another owner. If none has, the next whole merge deletes it.
                if transaction.options.isPiece { continue }
                scheduledDeletes[scheduledDelete(child.fingerprint)] = RecordKey(child.map(\.databaseValue))
                state.scheduleDelete(child, of: children)
            } else {
                try unlink(
                    child, for: relationship, inverse: inverse, children: children, with: statements,
                    isEmbedded: relationship.isEmbedded)
                try edits?.recordUnlinked(child)
            }
        }
    }

    /// Whether a member got its link with its row, or gets none.
    private func isLinked(_ member: LinkMember, for relationship: MergeRelationship) -> Bool {
        member.isSkipped || relationship.isEmbedded && member.row >= 0
    }

    /// Unlinks the children that were to be deleted and turned out to be listed elsewhere, as if that had come first
    /// (Rules.md, M11).
    func unlinkMoved() throws {
        for (scheduled, key) in scheduledDeletes {
            let children = transaction.plan.entities[scheduled.relationship.entity]
            let inverse = scheduled.relationship.relationship
            guard transaction.isListed(scheduled.child, of: children),
                let listing = children.relationships[inverse].inverse
            else { continue }
            let relationship = transaction.plan.entities[children.relationships[inverse].destination].relationships[
                listing]
            let statements = statements(for: relationship, inverse: inverse, children: children)
            let child = key.values.map { Cell($0, arena: transaction.staging.arena) }
            let link = try statements.link.get()
            link.bind(child)
            let exists = try link.step()
            let owner = scheduled.owner.values.indices.map { link.cell($0).databaseValue }
            link.reset()
            guard exists, RecordKey(owner) == scheduled.owner else { continue }
            try unlink(
                child, for: relationship, inverse: inverse, children: children, with: statements, isEmbedded: true)
        }
    }

    /// Links children that have been received since they were listed.
    func connectWaiting() throws {
        try waiting.connect { child, owner, position, entity, relationship in
            let children = transaction.plan.entities[relationship.destination]
            guard let inverse = relationship.inverse else { return false }
            let statements = statements(for: relationship, inverse: inverse, children: children)
            let link = try statements.link.get()
            link.bind(child)
            defer { link.reset() }
            guard try link.step() else { return false }
            let isFree =
                link.cell(0).kind == .null && !isOwnerless(child.fingerprint, children: children, inverse: inverse)
            // A child that states its owner itself does not state its position in the list.
            let isMisplaced =
                relationship.description.isOrdered
                && !isUnpositioned(child.fingerprint, children: children, inverse: inverse)
                && owner.indices.allSatisfy {
                    owner[$0].isIdentical(to: link.cell($0))
                } && !link.cell(owner.count).isIdentical(to: Cell(integer: Int64(position)))
            link.reset()
            if isFree || isMisplaced {
                try setLink(child, of: owner, at: position, children: children, for: relationship, with: statements)
            }
            return true
        }
    }

    /// Whether all children of an owner are members. This allocates nothing, since it is the most common case.
    private func hasNoOthers(
        _ members: [LinkMember], of owner: LinkOwner, children: MergeEntity, with statements: Statements
    ) throws -> Bool {
        let select = try statements.children.get()
        select.bind(keyOf: owner)
        defer { select.reset() }
        let keyCount = children.plan.keyColumns.count
        var index = -1
        while try select.step() {
            index = members.index(of: select.fingerprint(ofKey: 0..<keyCount), guess: index + 1)
            if index < 0 { return false }
        }
        return true
    }

    // MARK: What members state themselves

    /// Registers the members that state that they have no owner: no earlier list gives them one.
    func recordOwnerless(in tables: [StagedTable]) throws {
        ownerlessRows.removeAll()
        ownerless.removeAll()
        unpositioned.removeAll()
        guard try waiting.areKept() else { return }
        for table in tables where table.count > 0 {
            for (index, link) in table.entity.relationships.enumerated() {
                guard let column = link.foreignKey?.first, let inverse = link.inverse,
                    transaction.plan.entities[link.destination].relationships[inverse].description.listsIdentities
                else { continue }
                let key = Key(entity: table.entity.index, relationship: index)
                for row in 0..<table.count where table.row(row)[column].kind == .null && table.hasKey(row) {
                    ownerlessRows[key, default: [:]][table.row(row).fingerprint(table.entity), default: []].append(row)
                }
            }
        }
    }

    /// Registers the members that were listed, but finally have no owner or no position in a list.
    func recordOwnerless(_ claims: MemberClaims) {
        guard let inverse = claims.relationship.inverse else { return }
        let key = Key(entity: claims.relationship.destination, relationship: inverse)
        ownerless[key, default: []].formUnion(claims.ownerless)
        unpositioned[key, default: []].formUnion(claims.unpositioned)
    }

    private func isOwnerless(_ child: KeyFingerprint, children: MergeEntity, inverse: Int) -> Bool {
        let key = Key(entity: children.index, relationship: inverse)
        if ownerless[key]?.contains(child) == true { return true }
        // A skipped row does not count.
        return ownerlessRows[key]?[child]?.contains { !transaction.staging.isSkipped($0, of: children.index) } ?? false
    }

    private func isUnpositioned(_ child: KeyFingerprint, children: MergeEntity, inverse: Int) -> Bool {
        unpositioned[Key(entity: children.index, relationship: inverse)]?.contains(child) ?? false
    }

    /// Keeps the children of an earlier batch that were to be deleted and that now state their owner.
    func keepNamed(in tables: [StagedTable]) throws {
        guard !scheduledDeletes.isEmpty else { return }
        for key in Set(scheduledDeletes.keys.map(\.relationship)) {
            let table = tables[key.entity]
            guard let columns = table.entity.relationships[key.relationship].foreignKey else { continue }
            for row in 0..<table.count where try transaction.mayMerge(row, in: table) {
                let owner = columns.map { table.row(row)[$0] }
                guard owner.allSatisfy(\.isValue) else { continue }
                scheduledDeletes[
                    ScheduledDelete(
                        relationship: key, owner: RecordKey(owner.map(\.databaseValue)),
                        child: table.row(row).fingerprint(table.entity))] = nil
            }
        }
    }

    /// Unlinks members that a list had, that finally have no owner, and that have no row in the batch.
    func unlinkTaken(_ claims: MemberClaims) throws {
        let relationship = claims.relationship
        guard let inverse = relationship.inverse, !relationship.isEmbedded else { return }
        let children = transaction.plan.entities[relationship.destination]
        let statements = statements(for: relationship, inverse: inverse, children: children)
        for key in claims.taken {
            let link = try statements.link.get()
            link.bind(key)
            let exists = try link.step()
            let isLinked = exists && link.cell(0).kind != .null
            link.reset()
            if isLinked {
                try unlink(
                    key, for: relationship, inverse: inverse, children: children, with: statements, isEmbedded: false)
            }
            if !exists { try waiting.forget(key, of: claims.owners.entity, for: relationship) }
        }
    }

    // MARK: Linking

    /// The positions of the members of a list, for those that must wait because they are not in the store.
    private func positions(_ list: LinkList, for relationship: MergeRelationship) -> [KeyFingerprint: Int] {
        let isOrdered = relationship.description.isOrdered
        return Dictionary(
            list.members.enumerated().map { ($0.element.fingerprint, isOrdered ? $0.offset : 0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Links a member. One that is not in the store waits.
    ///
    /// - Parameter list: The index of its list among those of the owner's table.
    private func link(
        _ member: LinkMember, at position: Int, to owner: LinkOwner, for relationship: MergeRelationship,
        children: MergeEntity, with statements: Statements, keepsOrder: Bool, in list: Int
    ) throws {
        let link = try statements.link.get()
        link.bind(member.key)
        guard try link.step() else {
            link.reset()
            guard try counts(member, in: list, of: owner) else { return }
            return try waiting.keep(
                member.key, at: relationship.description.isOrdered ? position : 0, of: owner, for: relationship)
        }
        let ownerKey = owner.key
        let isOrdered = relationship.description.isOrdered
        let isSame =
            ownerKey.indices.allSatisfy { ownerKey[$0].isIdentical(to: link.cell($0)) }
            && (!isOrdered || keepsOrder && link.cell(ownerKey.count).isValue
                || link.cell(ownerKey.count).isIdentical(to: Cell(integer: Int64(position))))
        link.reset()
        if try !isSame && counts(member, in: list, of: owner) {
            try setLink(member.key, of: ownerKey, at: position, children: children, for: relationship, with: statements)
        }
    }

    /// Whether no other list has the member. This is called only if something would be written, or if the
    /// member has a pending change.
    private func counts(_ member: LinkMember, in list: Int, of owner: LinkOwner) throws -> Bool {
        try claims.claims(ofListAt: list, of: owner.table)?.counts(member.fingerprint, in: list) ?? true
    }

    private func setLink(
        _ child: [Cell], of owner: [Cell], at position: Int, children: MergeEntity, for relationship: MergeRelationship,
        with statements: Statements
    ) throws {
        let setLink = try statements.setLink.get()
        setLink.bind(
            owner + (relationship.description.isOrdered ? [Cell(integer: Int64(position))] : []) + child)
        try transaction.changes.note(.update, in: children.plan.table, database: transaction.database)
        try setLink.run()
        recordUpdate(child, children: children, for: relationship)
    }

    private func recordUpdate(_ child: [Cell], children: MergeEntity, for relationship: MergeRelationship) {
        let key = RecordKey(child.map(\.databaseValue))
        transaction.record(.updated, of: children, fingerprint: child.fingerprint, key: key, isListed: false)
        guard let trace = transaction.changeTrace, let inverse = relationship.inverse else { return }
        trace.record(children, key: key, names: [children.plan.relationships[inverse].name])
    }

    // MARK: Unlinking

    private func children(of owner: [Cell], children: MergeEntity, with statements: Statements) throws -> [[Cell]] {
        let select = try statements.children.get()
        select.bind(owner)
        defer { select.reset() }
        var found: [[Cell]] = []
        let count = children.plan.keyColumns.count
        while try select.step() {
            found.append((0..<count).map { select.cell($0).copied(to: transaction.staging.arena) })
        }
        return found
    }

    /// Whether a child that the server no longer lists is deleted rather than unlinked. One that the payload lists
    /// elsewhere has only left its owner.
    private func mayDelete(_ child: [Cell], for relationship: MergeRelationship, children: MergeEntity) -> Bool {
        relationship.description.unlisted == .delete && transaction.options.nested.contains(.delete)
            && !transaction.isListed(child.fingerprint, of: children)
    }

    private func unlink(
        _ child: [Cell], for relationship: MergeRelationship, inverse: Int, children: MergeEntity,
        with statements: Statements, isEmbedded: Bool
    ) throws {
        // A child that requires an owner keeps this one, as does a nested one that may not be updated.
        guard !children.relationships[inverse].isRequired, !isEmbedded || transaction.options.nested.contains(.update)
        else {
            return
        }
        let unlink = try statements.unlink.get()
        unlink.bind(child)
        try transaction.changes.note(.update, in: children.plan.table, database: transaction.database)
        try unlink.run()
        recordUpdate(child, children: children, for: relationship)
    }

    private func statements(
        for relationship: MergeRelationship, inverse: Int, children: MergeEntity
    ) -> Statements {
        if let latest, latest.relationship === relationship { return latest.statements }
        let statements = statementsByKey(for: relationship, inverse: inverse, children: children)
        latest = (relationship, statements)
        return statements
    }

    private func statementsByKey(
        for relationship: MergeRelationship, inverse: Int, children: MergeEntity
    ) -> Statements {
        let key = Key(entity: children.index, relationship: inverse)
        if let known = statements[key] { return known }
        let plan = children.plan
        let link = children.relationships[inverse]
        let table = SQLName.quoted(plan.table)
        let names = { (columns: [Int]) in columns.map { SQLName.quoted(plan.columns[$0].name) } }
        let foreignKey = names(link.foreignKey ?? [])
        let position = relationship.description.isOrdered ? names(link.positionColumn.map { [$0] } ?? []) : []
        let isChild = plan.keyCondition
        let isLinked = foreignKey.map { "\($0) = ?" }.joined(separator: " AND ")
        func statement(_ sql: String) -> LazyStatement { LazyStatement(sql, in: transaction.database) }
        let set = { (value: String) in (foreignKey + position).map { "\($0) = \(value)" }.joined(separator: ", ") }
        let made = Statements(
            children: statement(
                "SELECT \(names(plan.keyColumns).joined(separator: ", ")) FROM \(table) WHERE \(isLinked)"),
            link: statement(
                "SELECT \((foreignKey + position).joined(separator: ", ")) FROM \(table) WHERE \(isChild)"),
            setLink: statement("UPDATE \(table) SET \(set("?")) WHERE \(isChild)"),
            unlink: statement("UPDATE \(table) SET \(set("NULL")) WHERE \(isChild)"))
        statements[key] = made
        return made
    }
}
