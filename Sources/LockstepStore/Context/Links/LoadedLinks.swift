/// The loaded members of one relationship of one object.
final class LoadedLinks {
    /// The members in their order.
    private(set) var members: [ManagedObject] = [] { didSet { version &+= 1 } }
    /// Counts the changes of the members.
    private(set) var version = 0
    /// The members' identifiers; `nil` if there are so few that a linear search is cheaper.
    private var memberIDs: Set<ObjectIdentifier>?
    private static let fewMembers = 8
    /// The context's link epoch when it was loaded. If the epoch differs, it must be loaded again.
    var epoch = -1
    /// The destination's sort generation when it was sorted.
    var sortGeneration = -1
    /// For a to-one: the key that no record had when it was loaded.
    var absence: Absence?

    /// A key that no record in the store had after a commit of this number.
    struct Absence {
        let key: RecordKey
        let commit: UInt64
    }

    /// Whether no record with a key was found in the store as of a commit with this number.
    func isAbsent(_ key: RecordKey, after commit: @autoclosure () -> UInt64) -> Bool {
        guard let absence else { return false }
        return absence.commit == commit() && absence.key == key
    }

    func contains(_ object: ManagedObject) -> Bool {
        memberIDs?.contains(ObjectIdentifier(object)) ?? members.contains { $0 === object }
    }

    func replace(with objects: [ManagedObject]) {
        members = objects
        memberIDs = objects.count > Self.fewMembers ? Set(objects.lazy.map { ObjectIdentifier($0) }) : nil
    }

    /// - Returns: Whether the object was not a member before.
    @discardableResult
    func append(_ object: ManagedObject) -> Bool {
        guard !contains(object) else { return false }
        members.append(object)
        memberIDs?.insert(ObjectIdentifier(object))
        if memberIDs == nil, members.count > Self.fewMembers {
            memberIDs = Set(members.lazy.map { ObjectIdentifier($0) })
        }
        sortGeneration = -1
        return true
    }

    /// - Returns: Whether the object was a member.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        guard contains(object) else { return false }
        memberIDs?.remove(ObjectIdentifier(object))
        // Searched from the end, because removing is cheapest there.
        if let index = members.lastIndex(where: { $0 === object }) { members.remove(at: index) }
        return true
    }

    /// Puts the members into the order of others. Members that are not among them come last.
    func takeOrder(of others: [ManagedObject]) {
        let positions = Dictionary(
            others.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        members = members.enumerated().map { offset, member in
            (position: positions[ObjectIdentifier(member)] ?? Int.max, offset: offset, member: member)
        }.sorted { ($0.position, $0.offset) < ($1.position, $1.offset) }.map(\.member)
    }

    func move(_ object: ManagedObject, to index: Int) {
        guard let current = members.lastIndex(where: { $0 === object }), current != index else { return }
        members.remove(at: current)
        members.insert(object, at: min(index, members.count))
    }
}
