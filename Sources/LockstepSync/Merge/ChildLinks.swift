import GRDB
import LockstepStore

/// Lets records whose own foreign key makes the link belong to the owner that lists them, and no others.
final class ChildLinks {
    private unowned let run: MergeRun
    private var statements: [Key: Statements] = [:]
    private var latest: (relationship: MergeRelationship, statements: Statements)?
    private lazy var waiting = WaitingLinks(run)
    private var dropped: [Drop: RecordKey] = [:]

    /// A child that is to be deleted because its owner's list has it no longer. Its key is the value.
    private struct Drop: Hashable {
        let relationship: Key
        let owner: RecordKey
        let child: KeyFingerprint
    }

    private struct Key: Hashable {
        let entity: Int
        let relationship: Int
    }

    /// The statements for one relationship; its children have the foreign key.
    private struct Statements {
        /// The keys of an owner's children, and the server's identity of each where it makes that.
        let children: RawStatement
        /// The foreign key, and the place, of a child.
        let link: RawStatement
        let setLink: RawStatement
        let unlink: RawStatement
    }

    init(_ run: MergeRun) { self.run = run }

    func write(_ list: LinkList, of owner: LinkOwner, _ relationship: MergeRelationship) throws {
        let children = run.plan.entities[relationship.destination]
        try write(list, of: owner, relationship, children)
        try run.local?.noteOrder(of: owner, relationship, children, list)
    }

    private func write(
        _ list: LinkList, of owner: LinkOwner, _ relationship: MergeRelationship, _ children: MergeEntity
    ) throws {
        guard let inverse = relationship.inverse, children.relationships[inverse].foreignKey != nil else { return }
        let statements = try statements(for: relationship, inverse, children)
        let edits = try run.local?.childEdits(of: owner, relationship, children, list)
        if !list.isEmbedded {
            try waiting.forget(owner, relationship, except: Set(list.members.map(\.fingerprint)))
            for (place, member) in list.members.enumerated() {
                if let edits, try !edits.mayLink(member.key) { continue }
                try link(
                    member, at: place, to: owner, relationship, children, statements,
                    keepsOrder: edits?.keepsOrder ?? false)
            }
        }
        let drop = { (child: KeyFingerprint) in
            Drop(
                relationship: Key(entity: children.place, relationship: inverse),
                owner: RecordKey(owner.key.map(\.databaseValue)), child: child)
        }
        if !dropped.isEmpty { for member in list.members { dropped[drop(member.fingerprint)] = nil } }
        guard try list.isWhole && !hasNoOthers(list.members, owner, children, statements) else { return }
        let listed = Set(list.members.map(\.fingerprint))
        for child in try self.children(of: owner.key, children, statements) where !listed.contains(child.fingerprint) {
            guard try !run.isOnlyHere(child, children) else { continue }
            if let edits, try edits.isAdded(child) { continue }
            if list.isEmbedded, mayDelete(child, relationship, children) {
                dropped[drop(child.fingerprint)] = RecordKey(child.map(\.databaseValue))
                run.drop(child, children)
            } else {
                try unlink(child, relationship, inverse, children, statements, isEmbedded: list.isEmbedded)
                try edits?.noteUnlinked(child)
            }
        }
    }

    /// Lets those go that were to be deleted, and turned out to be listed elsewhere: as if that had come first (Rules.md,
    /// M11).
    func letGoOfListed() throws {
        for (drop, key) in dropped {
            let children = run.plan.entities[drop.relationship.entity]
            let inverse = drop.relationship.relationship
            guard run.isListed(drop.child, of: children), let listing = children.relationships[inverse].inverse
            else { continue }
            let relationship = run.plan.entities[children.relationships[inverse].destination].relationships[listing]
            let statements = try statements(for: relationship, inverse, children)
            let child = key.values.map { Cell($0, arena: run.staging.arena) }
            statements.link.bind(child)
            let isThere = try statements.link.step()
            let owner = drop.owner.values.indices.map { statements.link.cell($0).databaseValue }
            statements.link.reset()
            guard isThere, RecordKey(owner) == drop.owner else { continue }
            try unlink(child, relationship, inverse, children, statements, isEmbedded: true)
        }
    }

    /// Lets children be linked that have come since they were listed.
    func connectWaiting() throws {
        try waiting.connect { child, owner, place, entity, relationship in
            let children = run.plan.entities[relationship.destination]
            guard let inverse = relationship.inverse else { return false }
            let statements = try statements(for: relationship, inverse, children)
            statements.link.bind(child)
            defer { statements.link.reset() }
            guard try statements.link.step() else { return false }
            let link = statements.link
            let isFree = link.cell(0).kind == .null
            // One that said itself whose it is has not said where in the list.
            let isMisplaced =
                relationship.description.isOrdered
                && owner.indices.allSatisfy {
                    owner[$0].isIdentical(to: link.cell($0))
                } && !link.cell(owner.count).isIdentical(to: Cell(integer: Int64(place)))
            link.reset()
            if isFree || isMisplaced { try setLink(child, owner, place, children, relationship, statements) }
            return true
        }
    }

    /// Whether all children of an owner are members. Nothing is made to find that out, for so it mostly is.
    private func hasNoOthers(
        _ members: [LinkMember], _ owner: LinkOwner, _ children: MergeEntity, _ statements: Statements
    ) throws -> Bool {
        let select = statements.children
        select.bind(keyOf: owner)
        defer { select.reset() }
        let keyCount = children.plan.keyColumns.count
        var place = -1
        while try select.step() {
            place = members.place(of: select.fingerprint(ofFirst: keyCount), guess: place + 1)
            if place < 0 { return false }
        }
        return true
    }

    // MARK: Linking

    /// Links a member; one that is not here waits.
    private func link(
        _ member: LinkMember, at place: Int, to owner: LinkOwner, _ relationship: MergeRelationship,
        _ children: MergeEntity, _ statements: Statements, keepsOrder: Bool
    ) throws {
        let link = statements.link
        link.bind(member.key)
        guard try link.step() else {
            link.reset()
            return try waiting.keep(member.key, at: place, owner, relationship)
        }
        let ownerKey = owner.key
        let isOrdered = relationship.description.isOrdered
        let isSame =
            ownerKey.indices.allSatisfy { ownerKey[$0].isIdentical(to: link.cell($0)) }
            && (!isOrdered || keepsOrder && link.cell(ownerKey.count).isValue
                || link.cell(ownerKey.count).isIdentical(to: Cell(integer: Int64(place))))
        link.reset()
        if !isSame { try setLink(member.key, ownerKey, place, children, relationship, statements) }
    }

    private func setLink(
        _ child: [Cell], _ owner: [Cell], _ place: Int, _ children: MergeEntity, _ relationship: MergeRelationship,
        _ statements: Statements
    ) throws {
        statements.setLink.bind(
            owner + (relationship.description.isOrdered ? [Cell(integer: Int64(place))] : []) + child)
        try run.changes.note(.update, in: children.plan.table, run.database)
        try statements.setLink.run()
        noteUpdate(child, children, relationship)
    }

    private func noteUpdate(_ child: [Cell], _ children: MergeEntity, _ relationship: MergeRelationship) {
        let key = RecordKey(child.map(\.databaseValue))
        run.note(.updated, children, child.fingerprint, key, isListed: false)
        guard let trace = run.changeTrace, let inverse = relationship.inverse else { return }
        trace.note(children, key, [children.plan.relationships[inverse].name])
    }

    // MARK: Unlinking

    private func children(
        of owner: [Cell], _ children: MergeEntity, _ statements: Statements
    ) throws -> [[Cell]] {
        statements.children.bind(owner)
        defer { statements.children.reset() }
        var found: [[Cell]] = []
        let count = children.plan.keyColumns.count
        while try statements.children.step() {
            found.append((0..<count).map { statements.children.cell($0).copied(to: run.staging.arena) })
        }
        return found
    }

    /// What the server no longer lists is deleted where it cannot be without its owner's wish, else unlinked; what it
    /// cannot list, because it has never got there, stays. What the payload has elsewhere is not gone: it has left its
    /// owner only.
    private func mayDelete(_ child: [Cell], _ relationship: MergeRelationship, _ children: MergeEntity) -> Bool {
        relationship.description.onDelete == .cascade && run.options.nested.contains(.delete)
            && !run.isListed(child.fingerprint, of: children)
    }

    private func unlink(
        _ child: [Cell], _ relationship: MergeRelationship, _ inverse: Int, _ children: MergeEntity,
        _ statements: Statements, isEmbedded: Bool
    ) throws {
        // One that must have an owner keeps this one; so does what is nested and may not be changed.
        guard !children.relationships[inverse].isRequired, !isEmbedded || run.options.nested.contains(.update) else {
            return
        }
        statements.unlink.bind(child)
        try run.changes.note(.update, in: children.plan.table, run.database)
        try statements.unlink.run()
        noteUpdate(child, children, relationship)
    }

    private func statements(
        for relationship: MergeRelationship, _ inverse: Int, _ children: MergeEntity
    ) throws -> Statements {
        if let latest, latest.relationship === relationship { return latest.statements }
        let statements = try statementsByKey(for: relationship, inverse, children)
        latest = (relationship, statements)
        return statements
    }

    private func statementsByKey(
        for relationship: MergeRelationship, _ inverse: Int, _ children: MergeEntity
    ) throws -> Statements {
        let key = Key(entity: children.place, relationship: inverse)
        if let known = statements[key] { return known }
        let plan = children.plan
        let link = children.relationships[inverse]
        let table = SQLName.quoted(plan.table)
        let names = { (columns: [Int]) in columns.map { SQLName.quoted(plan.columns[$0].name) } }
        let foreignKey = names(link.foreignKey ?? [])
        let position = relationship.description.isOrdered ? names(link.positionColumn.map { [$0] } ?? []) : []
        let isChild = plan.keyCondition
        let isLinked = foreignKey.map { "\($0) = ?" }.joined(separator: " AND ")
        let made = Statements(
            children: try RawStatement(
                "SELECT \(names(plan.keyColumns).joined(separator: ", ")) FROM \(table) WHERE \(isLinked)",
                run.database),
            link: try RawStatement(
                "SELECT \((foreignKey + position).joined(separator: ", ")) FROM \(table) WHERE \(isChild)",
                run.database),
            setLink: try RawStatement(
                "UPDATE \(table) SET \((foreignKey + position).map { "\($0) = ?" }.joined(separator: ", ")) "
                    + "WHERE \(isChild)", run.database),
            unlink: try RawStatement(
                "UPDATE \(table) SET \((foreignKey + position).map { "\($0) = NULL" }.joined(separator: ", ")) "
                    + "WHERE \(isChild)", run.database))
        statements[key] = made
        return made
    }
}
