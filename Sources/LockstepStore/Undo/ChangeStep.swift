import GRDB

/// Unsaved changes that are taken back together.
///
/// Of each object that they touch it keeps what that was before; lists that only grow, it keeps what was added to.
final class ChangeStep {
    /// What it is called in a menu.
    var name: String?
    unowned let context: Context

    /// The objects that were touched, in the order they first were.
    private(set) var touched: [ManagedObject] = []
    /// What they were before; while the step is taken back, what they were after.
    var states: [ObjectIdentifier: ObjectState] = [:]
    /// The stored objects that were deleted, in that order.
    private(set) var deletes: [ManagedObject] = []
    /// The links that were noted as unsaved.
    var unsavedLinks: [UnsavedLink] = []
    /// The links of many to many relationships that were made or taken away.
    var joinNotes: [(joins: JoinChanges, note: JoinChanges.Note)] = []
    /// The unsaved orders of many to many relationships before (after).
    var orders: [ReorderedLinks: UnsavedOrder] = [:]
    /// What had been refused before (after); `nil` if that is the same.
    var refusals: Refusals?
    /// Objects whose records others changed since: what they were before is not what the store has.
    private(set) var changedUnderneath: [ManagedObject] = []

    init(_ context: Context) { self.context = context }

    var isEmpty: Bool {
        touched.isEmpty && unsavedLinks.isEmpty && joinNotes.isEmpty && orders.isEmpty && refusals == nil
    }

    /// Whether anything is left of it: not where it made records and took them back.
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

    /// Every object that something is kept of.
    var objectIDs: Set<ObjectIdentifier> { Set(states.keys).union(orders.keys.lazy.map(\.owner)) }

    // MARK: Recording

    func recordChange(of object: ManagedObject, _ column: Int, from old: DatabaseValue) {
        touch(object)
        states[ObjectIdentifier(object)]?.values.keep(old, column)
    }

    func recordInsertion(of object: ManagedObject) { touch(object, .absent) }

    func recordUncovering(of object: ManagedObject) { touch(object) }

    func recordDelete(of object: ManagedObject) {
        touch(object)
        if object.recordState != .inserted { deletes.append(object) }
    }

    func recordOrder(of owner: ManagedObject, _ relationship: Int) {
        let link = ReorderedLinks(owner, relationship)
        if orders[link] == nil { orders[link] = UnsavedOrder(of: owner, link) }
    }

    func recordRefusals(_ former: Refusals) { refusals = refusals ?? former }

    func noteChangedUnderneath(_ object: ManagedObject) { changedUnderneath.append(object) }

    private func touch(_ object: ManagedObject, _ state: @autoclosure () -> ObjectState? = nil) {
        guard states[ObjectIdentifier(object)] == nil else { return }
        states[ObjectIdentifier(object)] = state() ?? ObjectState(of: object)
        touched.append(object)
    }

    /// Takes in what came after it.
    func absorb(_ later: ChangeStep) {
        name = name ?? later.name
        for object in later.touched {
            guard let state = later.states[ObjectIdentifier(object)] else { continue }
            touch(object, state)
            for column in state.values.columns {
                states[ObjectIdentifier(object)]?.values.keep(state.values[column], column)
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

    // The history is not told of what a step apart takes in, but must know what others do.

    func touches(_ object: ManagedObject) -> Bool {
        has(object) || context.recorders.standing?.touches(object) ?? false
    }

    func didChangeUnderneath(_ object: ManagedObject) {
        if has(object) { noteChangedUnderneath(object) }
        context.recorders.standing?.didChangeUnderneath(object)
    }
}

/// An object that was noted as linked to an owner.
struct UnsavedLink {
    let index: LinkIndex
    let owner: RecordKey
    let object: ManagedObject
}

/// The order of one owner's ordered many to many that is not saved yet.
struct UnsavedOrder {
    let owner: ManagedObject
    /// `nil` if the order is that of the store.
    let members: [ManagedObject]?
    /// What the store had, where the merge policy asks.
    let former: [RecordKey]?

    init(of owner: ManagedObject, _ link: ReorderedLinks) {
        self.owner = owner
        let isUnsaved = owner.context.unsaved.isReordered(owner, link.relationship)
        members = isUnsaved ? owner.links(link.relationship).members : nil
        former = owner.context.unsaved.formerOrders[link]
    }
}
