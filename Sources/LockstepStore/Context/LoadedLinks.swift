/// What was loaded of one relationship of one object.
final class LoadedLinks {
    /// The members in their order.
    private(set) var members: [ManagedObject] = []
    private var memberIDs: Set<ObjectIdentifier> = []
    /// The context's link epoch when it was loaded; another epoch means that it must be loaded (again).
    var epoch = -1
    /// The destination's sort generation when it was sorted.
    var sortGeneration = -1
    /// Of a to-one: the key that no record had when it was loaded.
    var absence: Absence?

    /// A key that no record in the store had after a commit of this number.
    struct Absence {
        let key: RecordKey
        let commit: UInt64
    }

    func contains(_ object: ManagedObject) -> Bool { memberIDs.contains(ObjectIdentifier(object)) }

    func replace(with objects: [ManagedObject]) {
        members = objects
        memberIDs = Set(objects.lazy.map { ObjectIdentifier($0) })
    }

    /// - Returns: Whether the object was no member before.
    @discardableResult
    func append(_ object: ManagedObject) -> Bool {
        guard memberIDs.insert(ObjectIdentifier(object)).inserted else { return false }
        members.append(object)
        sortGeneration = -1
        return true
    }

    /// - Returns: Whether the object was a member.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        guard memberIDs.remove(ObjectIdentifier(object)) != nil else { return false }
        // Looked for from the end, where removing costs least.
        if let index = members.lastIndex(where: { $0 === object }) { members.remove(at: index) }
        return true
    }

    /// Puts the members into the order that others have; those that are not among them stay behind.
    func takeOrder(of others: [ManagedObject]) {
        let places = Dictionary(
            others.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        members = members.enumerated().map { offset, member in
            (place: places[ObjectIdentifier(member)] ?? Int.max, offset: offset, member: member)
        }.sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }.map(\.member)
    }

    func move(_ object: ManagedObject, to index: Int) {
        guard let current = members.lastIndex(where: { $0 === object }), current != index else { return }
        members.remove(at: current)
        members.insert(object, at: min(index, members.count))
    }
}
