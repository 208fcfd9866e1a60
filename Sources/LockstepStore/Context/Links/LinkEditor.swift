import GRDB
import LockstepEvolution

/// Changes the members of one to-many relationship of one owner.
struct LinkEditor {
    private let owner: ManagedObject
    private let relationship: Int
    private let description: RelationshipDescription
    private let destination: RecordMap
    private let inverse: Int
    private var context: ManagedObjectContext { owner.context }

    /// `nil` for an owner that was deleted or is in no context: nothing can be linked to it.
    init?(_ owner: ManagedObject, relationship: Int) {
        guard let records = owner.records, owner.state != .deleted, owner.state != .missing,
            let inverse = records.inverse(relationship)
        else { return nil }
        self.owner = owner
        self.relationship = relationship
        self.inverse = inverse
        description = records.plan.relationships[relationship]
        destination = records.destination(relationship)
    }

    func insert(_ element: ManagedObject) {
        guard owner.canLink(element, for: relationship) else { return }
        guard case .manyToMany(let join) = description.kind else {
            // An ordered relationship must know its last member to append another one.
            if description.isOrdered { _ = loaded }
            element.setForeignKey(inverse, to: owner)
            return
        }
        guard let links = loaded, !links.contains(element) else { return }
        if join.isToOne { makeRoom(for: element) }
        willReorder()
        links.append(element)
        note(element, in: join, isAdded: true)
    }

    func remove(_ element: ManagedObject) {
        context.errors.withdraw(of: owner, for: relationship, only: element)
        guard case .manyToMany(let join) = description.kind else {
            if element.foreignKey(inverse) == owner.recordKey { element.setForeignKey(inverse, to: nil) }
            return
        }
        guard let links = loaded, links.contains(element) else { return }
        willReorder()
        links.remove(element)
        note(element, in: join, isAdded: false)
    }

    func move(_ element: ManagedObject, to index: Int) {
        guard description.isOrdered, let links = loaded, links.contains(element) else { return }
        willReorder()
        let target = min(max(0, index), links.members.count - 1)
        links.move(element, to: target)
        keepOrder(links, from: target)
    }

    /// Makes `elements` the members, in their order. With `keepsOthers`, members that require an owner stay.
    func replaceAll(with elements: [ManagedObject], keepsOthers: Bool = false) {
        context.errors.withdraw(of: owner, for: relationship)
        // A new record has no members to remove; querying the store for each would make creating records slow.
        if elements.isEmpty, owner.state == .inserted, owner.linksIfLoaded(relationship) == nil { return }
        guard let links = loaded else { return }
        var known: Set<ObjectIdentifier> = []
        let targets = elements.filter { known.insert(ObjectIdentifier($0)).inserted }
        for member in links.members.reversed() where !known.contains(ObjectIdentifier(member)) {
            if !(keepsOthers && isRequired) { remove(member) }
        }
        for element in targets where !links.contains(element) { insert(element) }
        guard description.isOrdered else { return }
        willReorder()
        let others = links.members.filter { !known.contains(ObjectIdentifier($0)) }
        links.replace(with: targets.filter(links.contains) + others)
        keepOrder(links, from: 0)
    }

    /// Deletes former members if the relationship deletes what is no longer listed.
    func drop(_ former: [ManagedObject], except targets: [ManagedObject]) {
        guard description.unlisted == .delete else { return }
        if case .manyToMany = description.kind { return }
        let kept = Set(targets.lazy.map { ObjectIdentifier($0) })
        for member in former where !kept.contains(ObjectIdentifier(member)) { context.delete(member) }
    }

    /// `nil` if the members cannot be read. Then the next saves throw, because less would be stored than requested.
    private var loaded: LoadedLinks? {
        do { return try context.loadedLinks(of: owner, for: relationship) } catch {
            context.errors.refuse(RefusedChange(error: error, owner: owner, relationship: relationship))
            return nil
        }
    }

    /// Whether a member requires an owner.
    private var isRequired: Bool {
        if case .toOne(columns: _, position: _, isRequired: true) = destination.plan.relationships[inverse].kind {
            return true
        }
        return false
    }

    // MARK: Many to many

    /// Removes the only other link that each of the two records can have in a to-one.
    private func makeRoom(for element: ManagedObject) {
        removeAll()
        if element !== owner { LinkEditor(element, relationship: inverse)?.removeAll() }
    }

    private func removeAll() {
        for member in loaded?.members ?? [] { remove(member) }
    }

    private func note(_ element: ManagedObject, in join: JoinDescription, isAdded: Bool) {
        context.unsaved.didChange()
        context.unsaved.noteLink(owner, to: element, in: join, isAdded: isAdded)
        if join.position != nil { noteOrder(of: owner, for: relationship) }
        if join.isSymmetric {
            // A record that is linked to itself has one row.
            if element === owner { return }
            context.unsaved.noteLink(element, to: owner, in: join, isAdded: isAdded)
        }
        guard let other = element.linksIfLoaded(inverse) else { return }
        context.recorders.current?.willReorder(element, for: inverse)
        if isAdded { other.append(owner) } else { other.remove(owner) }
        if (join.isSymmetric ? join.position : join.inversePosition) != nil { noteOrder(of: element, for: inverse) }
    }

    /// The members or their order are about to change.
    private func willReorder() { context.recorders.current?.willReorder(owner, for: relationship) }

    private func noteOrder(of object: ManagedObject, for relationship: Int) {
        context.orders.note(of: object, for: relationship)
    }

    // MARK: Order

    /// Gives the members from an index on increasing positions.
    private func keepOrder(_ links: LoadedLinks, from start: Int) {
        if case .manyToMany = description.kind { return noteOrder(of: owner, for: relationship) }
        var least = 0
        if start > 0, let previous = destination.position(of: links.members[start - 1], for: inverse) {
            least = previous + 1
        }
        destination.keepOrder(of: links.members[start...], for: inverse, from: least)
    }
}
