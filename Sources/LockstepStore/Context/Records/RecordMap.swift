import GRDB

/// A context's records of one entity: the identity map, and what keeps relationships consistent.
///
/// This is the part that does not depend on the model's type; `TypedRecordMap` adds the rest.
class RecordMap {
    unowned let context: ManagedObjectContext
    let plan: EntityPlan
    /// For each to-one that holds a key: the owners whose inverse is loaded, and unsaved links.
    private var linkIndexes: [LinkIndex?]
    /// The stored objects that are to be deleted, by key. A new object may have the same key.
    final var deletedObjects: [RecordKey: ManagedObject] = [:]
    /// New objects with a key that another record had when they were created.
    private var shadowed: [ManagedObject] = []
    /// Counts changes of attributes that some to-many is sorted by.
    private(set) var sortGeneration = 0
    /// The columns that some to-many is sorted by.
    private lazy var sortColumns: ColumnSet = Self.sortColumns(of: plan, in: context.base.plans)
    private lazy var inverses: [Int?] = plan.relationships.map(\.inverseIndex)

    /// The kind of inverse of each to-one, looked up once because it is needed for every link.
    private(set) final lazy var inverseForms: [InverseForm] = plan.relationships.indices.map { relationship in
        guard let inverse = inverse(relationship) else { return InverseForm(isToOne: false, isOrdered: false) }
        let description = plan.relationships[relationship].destination.relationships[inverse]
        guard case .toOneInverse = description.kind else {
            return InverseForm(isToOne: false, isOrdered: description.isOrdered)
        }
        return InverseForm(isToOne: true, isOrdered: description.isOrdered)
    }

    struct InverseForm {
        let isToOne: Bool
        let isOrdered: Bool
    }

    init(context: ManagedObjectContext, plan: EntityPlan) {
        self.context = context
        self.plan = plan
        linkIndexes = Array(repeating: nil, count: plan.relationships.count)
    }

    private static func sortColumns(of plan: EntityPlan, in plans: SchemaPlan) -> ColumnSet {
        var columns = ColumnSet()
        for relationship in plans.lazy.flatMap(\.relationships) where relationship.destination === plan {
            for sort in relationship.sortedBy {
                if let column = plan.column(ofAttribute: sort.attribute) { columns.insert(column) }
            }
        }
        return columns
    }

    /// The index of the inverse relationship at the other end.
    func inverse(_ relationship: Int) -> Int? { inverses[relationship] }

    /// The context's records of the entity at the other end.
    func destination(_ relationship: Int) -> RecordMap {
        guard let type = plan.relationships[relationship].destinationModel else {
            preconditionFailure("A context has only records of generated models")
        }
        return context.records(of: type)
    }

    func linkIndex(_ relationship: Int) -> LinkIndex {
        if let index = linkIndexes[relationship] { return index }
        let index = LinkIndex()
        linkIndexes[relationship] = index
        return index
    }

    func didChange(_ column: Int, of object: ManagedObject) {
        if sortColumns.contains(column) {
            sortGeneration += 1
            context.observation?.noteOtherLinks()
        }
        if column == plan.remoteColumn { didChangeRemoteIdentity(of: object) }
    }

    /// Adds a new object, so that it is found and its owners' loaded relationships contain it.
    func insert(_ object: ManagedObject) {
        object.records = self
        register(object)
        if !object.isRegistered { shadowed.append(object) }
        for relationship in plan.foreignKeys.indices where !plan.foreignKeys[relationship].isEmpty {
            guard let key = object.foreignKey(relationship) else { continue }
            relink(object, for: relationship, from: nil, to: key)
        }
    }

    /// Clears the unsaved links and deletes, because they were saved or discarded.
    func clearUnsaved() {
        linkIndexes.forEach { $0?.unsaved.removeAll() }
        deletedObjects.removeAll()
        shadowed.removeAll()
    }

    /// The new object that is to be found at the key of a deleted one from now on.
    func uncovered(by object: ManagedObject) -> ManagedObject? {
        if shadowed.isEmpty { return nil }
        let key = object.recordKey
        return shadowed.first { $0.state == .inserted && !$0.isRegistered && $0.recordKey == key }
    }

    // MARK: Overridden by `TypedRecordMap`

    /// The model's own rule; `nil` if it has none. It is looked up once for a model, not for each object.
    var rule: ((ManagedObject) throws -> Void)? { nil }

    func register(_ object: ManagedObject) {}
    func unregister(_ object: ManagedObject) {}
    /// Whether another object that is not deleted is in the map at the object's key.
    func isRegisteredElsewhere(_ object: ManagedObject) -> Bool { false }
    func didChangeRemoteIdentity(of object: ManagedObject) {}
    /// The object of the current row of a statement: the one in the map, or a new one.
    func object(at row: RowReader) -> ManagedObject { preconditionFailure("TypedRecordMap overrides it") }
    var model: any Model.Type { preconditionFailure("TypedRecordMap overrides it") }
    /// The parent's records of the entity; `nil` in a context without a parent.
    var recordsAbove: RecordMap? { nil }
    /// The parent's object of the same record; `nil` if it has none.
    func objectAbove(_ object: ManagedObject) throws -> ManagedObject? { nil }
    /// The context's object of the record of a parent's or a child's object; `nil` if there is none.
    func registered(like other: ManagedObject) -> ManagedObject? { nil }
    /// The context's object of the record of a parent's object, created if needed.
    func object(like other: ManagedObject) -> ManagedObject { preconditionFailure("TypedRecordMap overrides it") }
    /// Inserts a record with the values of a child's object.
    func insertCopy(of other: ManagedObject) -> ManagedObject { preconditionFailure("TypedRecordMap overrides it") }
    /// A separate object for the row, which is not registered.
    func unregisteredObject(at row: RowReader) -> ManagedObject { preconditionFailure("TypedRecordMap overrides it") }
    /// The object in the map that has the key of a row; `nil` if there is none.
    func registeredObject(at row: RowReader) -> ManagedObject? { nil }
    /// The object in the map that has a key; `nil` if there is none.
    func registeredObject(of key: RecordKey) -> ManagedObject? {
        let values = Dictionary(zip(plan.keyColumns, key.values), uniquingKeysWith: { first, _ in first })
        let row = ValueRow(values)
        return withExtendedLifetime(row) { registeredObject(at: row.reader) }
    }
    /// The same, unless nobody else has it. Such an object may be removed.
    func usedObject(of key: RecordKey) -> ManagedObject? { registeredObject(of: key) }
    /// Whether the map is empty.
    var isEmpty: Bool { true }
    /// The objects in the map. Some may not be in use.
    var objectsInMap: [ManagedObject] { [] }
    /// Removes the objects that nobody else has. They are read again when they are asked for.
    ///
    /// - Parameter keepsObserved: Whether those stay that code observes, or has observed.
    func removeUnused(keepsObserved: Bool) {}
    func removeAll() {}
    /// Lets go of the objects. From now on, the map finds those that somebody else has.
    func keepNone() {}
}

/// The links of one to-one that holds a key, by that key.
final class LinkIndex {
    struct WeakLinks {
        weak var links: LoadedLinks?
    }

    /// The loaded inverses of owners.
    private var loaded: [RecordKey: WeakLinks] = [:]
    private var cleanupCount = 64
    /// Objects that were linked since the last save. An object may have been linked elsewhere since, so check it.
    var unsaved: [RecordKey: [ManagedObject]] = [:]

    /// Undoes the last recording of an object.
    func removeLast(_ object: ManagedObject, of owner: RecordKey) {
        guard let index = unsaved[owner]?.lastIndex(where: { $0 === object }) else { return }
        unsaved[owner]?.remove(at: index)
    }

    var hasLoaded: Bool { !loaded.isEmpty }

    func loadedLinks(_ owner: RecordKey, epoch: Int) -> LoadedLinks? {
        guard let links = loaded[owner]?.links, links.epoch == epoch else { return nil }
        return links
    }

    func setLoaded(_ links: LoadedLinks, of owner: RecordKey) {
        loaded[owner] = WeakLinks(links: links)
        if loaded.count > cleanupCount {
            loaded = loaded.filter { $0.value.links != nil }
            cleanupCount = max(64, loaded.count * 2)
        }
    }
}
