import Foundation
package import GRDB
public import Observation

/// A unit of work: it has one object for each record that it has read, and the changes that `save()` stores.
///
/// A context and its objects belong to one isolation domain and are not sendable. `store.mainContext` belongs to the
/// main actor; `store.perform` runs its closure with a background context.
///
/// A context of the main actor is `Observable`, as its objects are.
public final class ManagedObjectContext: Observable {
    /// The store's database. It is not the store itself, because the store keeps a reference to its main context.
    let base: StoreBase
    /// The context that a child reads from and saves to; `nil` for a context that uses the store.
    let parent: ManagedObjectContext?

    /// The connection for reading and writing.
    let connection: ContextConnection
    /// The context's objects.
    let identityMap = IdentityMap()
    /// The changes that the next save stores.
    let unsaved: UnsavedChanges
    /// The recorders of unsaved changes.
    let recorders = ChangeRecorders()
    /// The errors that the next save or fetch throws.
    let errors: PendingErrors
    /// How far the context has caught up with the store.
    let commits: CommitCursor
    /// The observers of what the context shows.
    let observers = ContextObservers()
    /// The observation of the context; `nil` in a context that is not the main actor's.
    let observation: ContextObservation?
    /// Its children, its scratch contexts, and what a child knows of its parent.
    let family: ContextFamily
    /// The current activity of the context.
    var activity = ContextActivity()

    /// How to resolve an attribute that was changed in this context and meanwhile saved elsewhere with another value.
    public var mergePolicy: MergePolicy

    /// - Parameters:
    ///   - isDroppable: Whether the context goes away when the app releases it, even if it has unsaved changes or the
    ///     app still has its objects.
    ///   - isObservable: Whether code can observe the context and its objects.
    ///   - wake: Calls ``wake()`` in the context's isolation domain, soon; `nil` for a context that picks up commits
    ///     only when it is used.
    init(
        _ base: StoreBase, parent: ManagedObjectContext? = nil, isDroppable: Bool = false, isObservable: Bool = false,
        wake: (@Sendable () -> Void)? = nil
    ) {
        observation = isObservable ? ContextObservation() : nil
        self.base = base
        self.parent = parent
        commits = CommitCursor(base.hub, wake: wake)
        connection = ContextConnection(base, commits: commits, parent: parent?.connection)
        unsaved = UnsavedChanges(recorders, keepsUndoneLinks: parent != nil)
        errors = PendingErrors(recorders)
        family = ContextFamily(following: parent, isDroppable: isDroppable)
        mergePolicy = parent?.mergePolicy ?? base.mergePolicy
    }

    deinit {
        // The app may keep the recorder longer, but its steps belong to this context.
        recorders.standing?.clear()
        identityMap.removeAll()
        if family.isDroppable { family.retireObjects(base) }
    }

    /// A unique key for a new record of an entity without identity. It is greater than all keys created before.
    @_spi(Generated) public static func newLockstepID() -> Int64 { SurrogateKeys.next() }

    /// A local text identity for a record that came from the server: a lowercase UUID.
    @_spi(Generated) public static func newLocalID() -> String { UUID().uuidString.lowercased() }

    // MARK: Forwarding

    /// Whether the next save has anything to write.
    public var hasChanges: Bool {
        observation?.didReadHasChanges(of: self)
        return !unsaved.isEmpty
    }

    /// Runs `body`, which may change what the context shows, and then notifies those who observe that.
    func observingChanges<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let observation else { return try body() }
        observation.begin()
        defer { observation.end(in: self) }
        return try body()
    }

    func records<Object: Model>(_ type: Object.Type) -> TypedRecordMap<Object> { identityMap.records(type, of: self) }

    func records(of type: any EntityType.Type) -> RecordMap { identityMap.records(of: type, of: self) }

    var linkEpoch: Int { identityMap.linkEpoch }

    /// The members of a relationship in their order, loaded if needed.
    func loadedLinks(of owner: ManagedObject, for relationship: Int) throws -> LoadedLinks {
        let links = owner.links(relationship)
        guard let records = owner.records, owner.state != .missing else { return links }
        if links.epoch != linkEpoch { try LinkLoader(self).load(links, of: owner, for: relationship, records: records) }
        records.sort(links, for: relationship)
        return links
    }

    /// The unsaved orders of many-to-many relationships.
    var orders: LinkOrders { LinkOrders(self) }

    /// Reads with the connection in use, or with the context's reader. See ``ContextConnection/read(_:)``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try connection.read(body) }

    /// Reads the store for another module, with the connection in use if there is one.
    package func readStore<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }

    /// The plans of the schema's entities, in the order of the schema.
    package var plans: SchemaPlan { base.plans }

    /// Runs `body`. If it throws, the next save or fetch throws that error.
    func remembering<Value>(_ body: () throws -> Value?) -> Value? { errors.remembering(body) }

    // MARK: Closing

    /// Lets go of everything that can be loaded again, because the store was released.
    ///
    /// What the app still has keeps the context alive, so the context must not keep that: the database would stay open
    /// for ever.
    func keepNone() {
        // An unsaved order exists nowhere else.
        if unsaved.reordered.isEmpty { identityMap.releaseLoaded() }
        identityMap.keepNone()
    }

    /// Discards all unsaved changes and releases every object, so that the context can be released.
    func close() {
        family.close()
        observers.close()
        identityMap.removeAll()
        unsaved.removeAll()
        errors.clear()
        recorders.end()
        connection.giveBackReader()
    }
}

/// The current activity of a context.
struct ContextActivity {
    /// Whether the models' own rules are running. They must not start validation again.
    var isValidating = false
    /// Whether a delete is clearing links, which are not changes of the app.
    var isDeleting = false
    /// The owners of embedded records that are being converted to values, so that cycles end.
    var represented: Set<ObjectIdentifier> = []
}
