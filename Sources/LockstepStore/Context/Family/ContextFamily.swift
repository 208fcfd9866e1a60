/// The contexts that belong to a context: its children, its scratch contexts, and what it has to follow in its parent.
final class ContextFamily {
    private struct WeakObject {
        weak var object: ManagedObject?
    }

    /// Whether the context goes away when the app releases it, even if it has unsaved changes or the app still has its
    /// objects.
    let isDroppable: Bool
    private var children = WeakContexts()
    /// The scratch contexts of the same isolation domain.
    private var scratches = WeakContexts()
    /// The parent's revision when this context last followed it.
    private(set) var followedChanges: UInt64
    /// The parent's objects whose unsaved changes were saved or undone since. They are kept, so that a child can read
    /// their current values.
    private var toFollow: [ManagedObject] = []
    /// Records that a child which is being saved has linked elsewhere. Delete rules that still find them at the old
    /// owner skip them.
    var movedByChild: Set<ObjectIdentifier> = []
    /// Every object that was created in a context which does not outlive its last reference.
    private var objects: [WeakObject] = []
    private var cleanupCount = 256
    /// Whether the context's work has ended.
    private(set) var isClosed = false

    init(following parent: ManagedObjectContext?, isDroppable: Bool) {
        followedChanges = parent?.unsaved.revision ?? 0
        self.isDroppable = isDroppable
    }

    // MARK: Children

    func addChild(_ child: ManagedObjectContext) { children.insert(child) }

    func addScratch(_ context: ManagedObjectContext) { scratches.insert(context) }

    /// Records objects that children must refresh.
    func letChildrenFollow(_ lists: [ManagedObject]...) {
        guard !children.isEmpty else { return }
        for child in children.contexts {
            for objects in lists { child.family.toFollow += objects }
        }
    }

    /// Ends the work of the contexts that depend on this one.
    func close() {
        isClosed = true
        for context in children.contexts + scratches.contexts { context.close() }
        children.removeAll()
        scratches.removeAll()
        toFollow = []
    }

    // MARK: Parent

    /// Returns the objects to be refreshed, and clears the list.
    func takeFollowed(upTo changes: UInt64) -> [ManagedObject] {
        followedChanges = changes
        defer { toFollow = [] }
        return toFollow
    }

    func isMovedByChild(_ object: ManagedObject) -> Bool {
        !movedByChild.isEmpty && movedByChild.contains(ObjectIdentifier(object))
    }

    // MARK: Closing

    func track(_ object: ManagedObject) {
        objects.append(WeakObject(object: object))
        guard objects.count > cleanupCount else { return }
        objects.removeAll { $0.object == nil }
        cleanupCount = max(256, objects.count * 2)
    }

    /// Moves the objects that the app still has to a context without records, when their own context goes away.
    func retireObjects(_ base: StoreBase) {
        let left = objects.compactMap(\.object)
        objects = []
        guard !left.isEmpty else { return }
        let successor = ManagedObjectContext(base)
        successor.family.close()
        successor.identityMap.keepNone()
        for object in left { object.retire(to: successor) }
    }
}
