/// The contexts around one: its children, its scratch contexts, and what it has to follow of its parent.
final class ContextFamily {
    private struct WeakObject {
        weak var object: ManagedObject?
    }

    /// Whether the context goes away when the app releases it, though it has unsaved changes or the app has its
    /// objects.
    let isDroppable: Bool
    private var children = WeakContexts()
    /// Contexts on the same isolation domain that stand beside this one.
    private var scratches = WeakContexts()
    /// The parent's count of changes when this context last followed it.
    private(set) var followedChanges: UInt64
    /// The parent's objects whose unsaved changes were saved or taken back since. Held, so that a child can read what
    /// they have now.
    private var toFollow: [ManagedObject] = []
    /// Records that a child which is being saved has linked elsewhere: rules that see them where they were spare them.
    var movedByChild: Set<ObjectIdentifier> = []
    /// Every object that was made in a context which does not outlive its last reference.
    private var objects: [WeakObject] = []
    private var cleanupCount = 256
    /// Whether the context's work has ended.
    private(set) var isClosed = false

    init(following parent: Context?, isDroppable: Bool) {
        followedChanges = parent?.unsaved.revision ?? 0
        self.isDroppable = isDroppable
    }

    // MARK: Down

    func addChild(_ child: Context) { children.insert(child) }

    func addScratch(_ context: Context) { scratches.insert(context) }

    /// Notes objects whose records children must look at again.
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

    // MARK: Up

    /// What was to be followed; nothing is to be any more.
    func takeFollowed(upTo changes: UInt64) -> [ManagedObject] {
        followedChanges = changes
        defer { toFollow = [] }
        return toFollow
    }

    func isMovedByChild(_ object: ManagedObject) -> Bool {
        !movedByChild.isEmpty && movedByChild.contains(ObjectIdentifier(object))
    }

    // MARK: Going away

    func track(_ object: ManagedObject) {
        objects.append(WeakObject(object: object))
        guard objects.count > cleanupCount else { return }
        objects.removeAll { $0.object == nil }
        cleanupCount = max(256, objects.count * 2)
    }

    /// Gives the objects that the app still has a context without records, as the one they lived in goes away.
    func retireObjects(_ base: StoreBase) {
        let left = objects.compactMap(\.object)
        objects = []
        guard !left.isEmpty else { return }
        let successor = Context(base)
        successor.family.close()
        for object in left { object.retire(to: successor) }
    }
}
