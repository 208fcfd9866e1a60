import Foundation
package import GRDB

/// A unit of work: it holds one object for each record it has read, and the changes that ``save()`` stores.
///
/// A context and its objects belong to one isolation domain and are not sendable. `store.mainContext` is the main
/// actor's; `store.perform` runs its closure with another one.
public final class Context {
    /// The store's database. Not the store itself: that holds its main context, and neither would ever be released.
    let base: StoreBase
    /// The context that a child shows and saves to; `nil` for one that shows the store.
    let parent: Context?

    /// The connection that it reads and writes with.
    let connection: ContextConnection
    /// Its objects.
    let identityMap = IdentityMap()
    /// What the next save stores.
    let unsaved: UnsavedChanges
    /// Who is notified of unsaved changes.
    let recorders = ChangeRecorders()
    /// What the next save or fetch throws.
    let errors: PendingErrors
    /// How far it has followed the store.
    let commits: CommitCursor
    /// Those that follow what it shows.
    let observers = ContextObservers()
    /// The children, the scratch contexts, and what a child knows of its parent.
    let family: ContextFamily
    /// What is under way.
    var activity = ContextActivity()

    /// What happens if an attribute that was changed here was meanwhile saved elsewhere, with another value.
    public var mergePolicy: MergePolicy

    /// - Parameters:
    ///   - isDroppable: Whether the context goes away when the app releases it, though it has unsaved changes or the
    ///     app has its objects.
    ///   - wake: Calls ``wake()`` in the context's isolation domain, soon; `nil` for a context that takes over commits
    ///     only when it is asked something.
    init(
        _ base: StoreBase, parent: Context? = nil, isDroppable: Bool = false, wake: (@Sendable () -> Void)? = nil
    ) {
        self.base = base
        self.parent = parent
        commits = CommitCursor(base.hub, wake: wake)
        connection = ContextConnection(base, commits, parent: parent?.connection)
        unsaved = UnsavedChanges(recorders, keepsUndoneLinks: parent != nil)
        errors = PendingErrors(recorders)
        family = ContextFamily(following: parent, isDroppable: isDroppable)
        mergePolicy = parent?.mergePolicy ?? base.mergePolicy
    }

    deinit {
        // The app may hold the recorder longer; its steps are of this context.
        recorders.standing?.clear()
        if family.isDroppable { family.retireObjects(base) }
    }

    /// A key for a new record of an entity without identity: greater than those made before, and its own.
    @_spi(Generated) public static func newLockstepID() -> Int64 { SurrogateKeys.next() }

    /// A local identity of text for a record that came from the server: a UUID in lower case.
    @_spi(Generated) public static func newLocalID() -> String { UUID().uuidString.lowercased() }

    // MARK: What its parts do

    /// Whether the next save has anything to write.
    public var hasChanges: Bool { !unsaved.isEmpty }

    func records<Object: Model>(_ type: Object.Type) -> TypedRecordMap<Object> { identityMap.records(type, of: self) }

    func records(of type: any EntityType.Type) -> RecordMap { identityMap.records(of: type, of: self) }

    var linkEpoch: Int { identityMap.linkEpoch }

    /// A relationship's members, loaded if they are not, in their order.
    func loadedLinks(of owner: ManagedObject, _ relationship: Int) throws -> LoadedLinks {
        let links = owner.links(relationship)
        guard let records = owner.records, owner.recordState != .missing else { return links }
        if links.epoch != linkEpoch { try LinkLoader(self).load(links, of: owner, relationship, records) }
        records.sort(links, relationship)
        return links
    }

    /// Unsaved orders of many to many relationships.
    var orders: LinkOrders { LinkOrders(self) }

    /// Reads with the connection in use, or one of the store's readers: see ``ContextConnection/read(_:)``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try connection.read(body) }

    /// Reads the store for another module, with the connection in use if there is one.
    package func readStore<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }

    /// The schema's entities by their plans, in the order of the schema.
    package var plans: [EntityPlan] { base.entities }

    /// Runs `body`; what it throws is thrown by the next save or fetch.
    func remembering<Value>(_ body: () throws -> Value?) -> Value? { errors.remembering(body) }

    // MARK: Its end

    /// Releases everything that can be loaded again.
    func releaseLoaded() {
        // An unsaved order is nowhere else.
        if unsaved.reordered.isEmpty { identityMap.releaseLoaded() }
    }

    /// Forgets everything unsaved and releases every object, so that the context can be released.
    func close() {
        family.close()
        observers.close()
        identityMap.removeAll()
        unsaved.removeAll()
        errors.clear()
        recorders.end()
    }
}

/// What a context is in the middle of.
struct ContextActivity {
    /// Whether the models' own rules are being asked: they must not begin that again.
    var isValidating = false
    /// Whether a delete is clearing links, which the app has not set.
    var isDeleting = false
    /// Owners of embedded records that are being made values, so that a circle of them ends.
    var represented: Set<ObjectIdentifier> = []
}
