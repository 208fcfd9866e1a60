import GRDB

/// Unsaved changes that are undone together.
///
/// For each object that it involves, it keeps the previous state; for lists that only grow, it keeps what was added.
final class ChangeStep {
    /// The name in a menu.
    var name: String?
    unowned let context: ManagedObjectContext

    /// The objects that were changed, in the order of their first change.
    private(set) var touched: [ManagedObject] = []
    /// Their states before the step; while the step is undone, those after it.
    var states: [ObjectIdentifier: ObjectState] = [:]
    /// The stored objects that were deleted, in that order.
    private(set) var deletes: [ManagedObject] = []
    /// The links that were recorded as unsaved.
    var unsavedLinks: [UnsavedLink] = []
    /// The links of many-to-many relationships that were added or removed.
    var joinNotes: [(joins: JoinChanges, note: JoinChanges.Note)] = []
    /// The unsaved orders of many-to-many relationships before (after) the step.
    var orders: [OwnedRelationship: UnsavedOrder] = [:]
    /// The refused changes before (after) the step; `nil` if they are the same.
    var refusals: Refusals?
    /// Objects whose records were changed elsewhere since, so that their previous states are not those of the store.
    private(set) var changedUnderneath: [ManagedObject] = []

    init(_ context: ManagedObjectContext) { self.context = context }

    var isEmpty: Bool {
        touched.isEmpty && unsavedLinks.isEmpty && joinNotes.isEmpty && orders.isEmpty && refusals == nil
    }

    /// Whether the step has an effect. It has none if it created records and discarded them.
    var hasEffect: Bool {
        guard !touched.isEmpty, refusals == nil, joinNotes.isEmpty, orders.isEmpty else { return !isEmpty }
        return !touched.allSatisfy { object in
            states[ObjectIdentifier(object)]?.isAbsent ?? true && ObjectState(of: object).isAbsent
        }
    }

    func has(_ object: ManagedObject) -> Bool {
        let id = ObjectIdentifier(object)
        return states[id] != nil || orders.keys.contains { $0.owner == id }
    }

    /// Every object with a kept state.
    var objectIDs: Set<ObjectIdentifier> { Set(states.keys).union(orders.keys.lazy.map(\.owner)) }

    // MARK: Recording

    func recordChange(of object: ManagedObject, column: Int, from old: DatabaseValue) {
        touch(object)
        states[ObjectIdentifier(object)]?.values.keep(old, column: column)
    }

    func recordInsertion(of object: ManagedObject) { touch(object, state: .absent) }

    func recordUncovering(of object: ManagedObject) { touch(object) }

    func recordDelete(of object: ManagedObject) {
        touch(object)
        if object.state != .inserted { deletes.append(object) }
    }

    func recordOrder(of owner: ManagedObject, for relationship: Int) {
        let link = OwnedRelationship(owner, relationship: relationship)
        if orders[link] == nil { orders[link] = UnsavedOrder(of: owner, link: link) }
    }

    func recordRefusals(_ former: Refusals) { refusals = refusals ?? former }

    func noteChangedUnderneath(_ object: ManagedObject) { changedUnderneath.append(object) }

    private func touch(_ object: ManagedObject, state: @autoclosure () -> ObjectState? = nil) {
        guard states[ObjectIdentifier(object)] == nil else { return }
        states[ObjectIdentifier(object)] = state() ?? ObjectState(of: object)
        touched.append(object)
    }

    /// Adds the changes of a later step.
    func absorb(_ later: ChangeStep) {
        name = name ?? later.name
        for object in later.touched {
            guard let state = later.states[ObjectIdentifier(object)] else { continue }
            touch(object, state: state)
            for column in state.values.columns {
                states[ObjectIdentifier(object)]?.values.keep(state.values[column], column: column)
            }
        }
        deletes += later.deletes
        unsavedLinks += later.unsavedLinks
        joinNotes += later.joinNotes
        orders.merge(later.orders) { own, _ in own }
        refusals = refusals ?? later.refusals
        changedUnderneath += later.changedUnderneath
    }
}

extension ChangeStep: StepRecorder {
    func record(_ note: (ChangeStep) -> Void) { note(self) }
    func clear() {
        (touched, states, deletes, unsavedLinks, joinNotes, orders) = ([], [:], [], [], [], [:])
        (refusals, changedUnderneath) = (nil, [])
    }

    func beginChange() {}
    func endChange() {}

    // The history is not notified of what a separate step records, but must know about changes made elsewhere.

    func touches(_ object: ManagedObject) -> Bool {
        has(object) || context.recorders.standing?.touches(object) ?? false
    }

    func didChangeUnderneath(_ object: ManagedObject) {
        if has(object) { noteChangedUnderneath(object) }
        context.recorders.standing?.didChangeUnderneath(object)
    }
}

/// An object that was recorded as linked to an owner.
struct UnsavedLink {
    let index: LinkIndex
    let owner: RecordKey
    let object: ManagedObject
}

/// The unsaved order of one owner's ordered many-to-many relationship.
struct UnsavedOrder {
    let owner: ManagedObject
    /// `nil` if the order is that of the store.
    let members: [ManagedObject]?
    /// The stored order, if the merge policy needs it.
    let former: [RecordKey]?

    init(of owner: ManagedObject, link: OwnedRelationship) {
        self.owner = owner
        let isUnsaved = owner.context.unsaved.isReordered(owner, for: link.relationship)
        members = isUnsaved ? owner.links(link.relationship).members : nil
        former = owner.context.unsaved.formerOrders[link]
    }
}
