/// A context's objects, one for each record that it has read, and whether their loaded links are still valid.
final class IdentityMap {
    private var maps: [ObjectIdentifier: RecordMap] = [:]
    /// Whether the context keeps its objects alive.
    private var keepsObjects = true
    /// Incremented when loaded relationships are no longer valid.
    private(set) var linkEpoch = 0

    /// The records of a model.
    func records<Object: Model>(_ type: Object.Type, of context: ManagedObjectContext) -> TypedRecordMap<Object> {
        if let map = maps[ObjectIdentifier(type)] { return unsafeDowncast(map, to: TypedRecordMap<Object>.self) }
        let map = TypedRecordMap<Object>(context: context, plan: Object.entity.plan)
        if !keepsObjects { map.keepNone() }
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

    /// Makes every relationship load again on its next access.
    func unloadLinks() { linkEpoch += 1 }

    /// Releases everything that can be loaded again.
    func releaseLoaded() {
        dropLinks()
        removeUnused()
    }

    private func dropLinks() {
        for records in maps.values {
            for object in records.objectsInMap { object.dropLinks() }
        }
    }

    /// Releases the objects that nobody uses.
    func removeUnused() { for records in maps.values { records.removeUnused(keepsObserved: false) } }

    /// Lets go of the objects: those that the app has keep the context alive, and must not be kept by it.
    func keepNone() {
        keepsObjects = false
        for records in maps.values { records.keepNone() }
    }

    /// Releases every object.
    func removeAll() {
        dropLinks()
        for records in maps.values { records.removeAll() }
        maps = [:]
    }
}
