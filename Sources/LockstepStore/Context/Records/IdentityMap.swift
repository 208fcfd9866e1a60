/// A context's objects, one for each record that was read, and whether their loaded links are still valid.
final class IdentityMap {
    private var maps: [ObjectIdentifier: RecordMap] = [:]
    /// Incremented when loaded relationships are no longer valid.
    private(set) var linkEpoch = 0

    /// Objects that relationships returned, kept for a while.
    private var recentlyResolved: [ManagedObject] = []
    private var nextRecent = 0
    /// How many of these objects are kept: enough for a loop over one relationship, and little compared to a screenful
    /// of models.
    private static let recentlyResolvedLimit = 1024

    /// The records of a model.
    func records<Object: Model>(_ type: Object.Type, of context: ManagedObjectContext) -> TypedRecordMap<Object> {
        if let map = maps[ObjectIdentifier(type)] { return unsafeDowncast(map, to: TypedRecordMap<Object>.self) }
        let map = TypedRecordMap<Object>(context: context, plan: Object.entity.plan)
        maps[ObjectIdentifier(type)] = map
        return map
    }

    func records(of type: any EntityType.Type, of context: ManagedObjectContext) -> RecordMap {
        if let map = maps[ObjectIdentifier(type)] { return map }
        guard let model = type as? any Model.Type else { preconditionFailure("\(type) is described but not a model") }
        func open<Object: Model>(_ type: Object.Type) -> RecordMap { records(type, of: context) }
        return open(model)
    }

    /// The records of every entity that was used so far.
    var all: [RecordMap] { Array(maps.values) }

    func keepAlive(_ object: ManagedObject) {
        if recentlyResolved.count < Self.recentlyResolvedLimit {
            recentlyResolved.append(object)
        } else {
            recentlyResolved[nextRecent] = object
            nextRecent = (nextRecent + 1) % Self.recentlyResolvedLimit
        }
    }

    /// Makes every relationship load again on its next access.
    func unloadLinks() { linkEpoch += 1 }

    /// Releases everything that can be loaded again.
    func releaseLoaded() {
        for records in maps.values {
            for object in records.liveObjects { object.dropLinks() }
        }
        recentlyResolved = []
        nextRecent = 0
    }

    /// Releases every object.
    func removeAll() {
        releaseLoaded()
        maps = [:]
    }
}
