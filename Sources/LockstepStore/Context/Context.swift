import Foundation
import GRDB

/// A unit of work: it holds one object for each record it has read, and the changes that ``save()`` stores.
///
/// A context and its objects belong to one isolation domain and are not sendable. `store.mainContext` is the main
/// actor's; `store.perform` lends one elsewhere.
public final class Context {
    /// The store's database. Not the store itself: that holds its main context, and both would live for ever.
    let base: StoreBase
    /// The context that a child shows and saves to; `nil` for one that shows the store.
    let parent: Context?
    /// The children, the scratch contexts, and what a child knows of its parent.
    let family: ContextFamily
    /// Whether the context goes away when the app lets go of it, though it has unsaved changes or the app has its
    /// objects.
    let isDroppable: Bool
    /// Counts unsaved changes, and what was taken back or over: children follow.
    var changeCount: UInt64 = 0

    private var maps: [ObjectIdentifier: RecordMap] = [:]
    /// The connection, while one is being used.
    private var activeDatabase: Database?
    /// What could not be read where nothing could be thrown.
    private var pendingReadError: (any Error)?

    /// What was committed and not taken over yet.
    let inbox: ContextInbox
    /// The number of the newest commit that was taken over.
    var seenCommit: UInt64 = 0
    /// Whether the rows that are being read may be of a later commit than what the context shows.
    var mayBeBehind = false
    /// Records that could not be read again, or were gone and have changes that are kept: what they show is not what the
    /// store has, should it have them.
    var unreadObjects: Set<ObjectIdentifier> = []
    /// What was taken over and observers were not told of yet.
    var untold = StoreChange()
    var isTellingObservers = false
    var observers: [WeakObserver] = []
    var companions: [WeakContext] = []

    /// What happens where an attribute that was changed here was meanwhile saved elsewhere, with another value.
    public var mergePolicy: MergePolicy
    /// What the policy leaves for the save to throw.
    var conflicts: [ObjectIdentifier: Conflict] = [:]

    /// Moves on when what was loaded of relationships is no longer good.
    private(set) var linkEpoch = 0

    /// New objects, in the order they were made; some may have been deleted since.
    var inserted: [ManagedObject] = []
    /// How often the lists of changes were emptied, by a save or a rollback.
    var savedChanges = 0
    /// Objects that were changed; some may have been deleted since.
    var changed: [ManagedObject] = []
    /// Stored objects that are to be deleted.
    var deleted: [ManagedObject] = []
    /// Unsaved links of many to many relationships, by table.
    var joins: [String: JoinChanges] = [:]
    /// Owners whose ordered many to many has an unsaved order, with the relationship.
    var reordered: [ReorderedLinks: ManagedObject] = [:]
    /// The orders that the store had before, for policies that ask.
    var formerOrders: [ReorderedLinks: [RecordKey]] = [:]

    /// Is told of changes before they are taken over.
    var changeRecorder: (any ChangeRecorder)?
    /// Unsaved attachments that others have taken the place of: the undo history may bring them back.
    var replacedAttachments: [Attachment] = []
    /// What can be taken back of the unsaved changes; `nil` where ``enableUndo(levels:)`` was not called.
    public internal(set) var undoHistory: UndoHistory?

    /// Whether the models' own rules are being asked: they must not begin that anew.
    var isValidating = false

    /// Owners of embedded records that are being made values, so that a circle of them ends.
    var beingRepresented: Set<ObjectIdentifier> = []

    /// What was set of a record that is deleted; the next save throws it.
    var lostChange: StoreError?
    /// Whether a delete is clearing links, which the app has not set.
    var isDeleting = false

    /// What was asked for and could not be noted, so that a save would store less than that.
    private(set) var refusedChanges: [RefusedChange] = []

    /// Objects that relationships gave, held for a while.
    private var recentlyResolved: [ManagedObject] = []
    private var nextRecent = 0
    /// How many objects are held for a while: enough for a loop over one relationship, little beside a screenful of
    /// models.
    private static let recentlyResolvedLimit = 1024

    /// - Parameter wake: Calls ``wake()`` in the context's isolation domain, soon; `nil` for a context that takes over
    ///   commits only when it is asked something.
    init(
        _ base: StoreBase, parent: Context? = nil, isDroppable: Bool = false, wake: (@Sendable () -> Void)? = nil
    ) {
        self.base = base
        self.isDroppable = isDroppable
        self.parent = parent
        family = ContextFamily(following: parent)
        mergePolicy = parent?.mergePolicy ?? base.mergePolicy
        inbox = ContextInbox(wake: wake)
        seenCommit = base.hub.register(inbox)
    }

    deinit {
        // The app may hold the history longer; its steps are of this context.
        undoHistory?.clear()
        if isDroppable { family.retireObjects(base) }
    }

    /// A key for a new record of an entity without identity: greater than those made before, and its own.
    public static func newLockstepID() -> Int64 { SurrogateKeys.next() }

    /// A local identity of text for a record that came from the server: a UUID in lower case.
    public static func newLocalID() -> String { UUID().uuidString.lowercased() }

    // MARK: Records

    func records<Object: Model>(_ type: Object.Type) -> TypedRecordMap<Object> {
        if let map = maps[ObjectIdentifier(type)] { return unsafeDowncast(map, to: TypedRecordMap<Object>.self) }
        let map = TypedRecordMap<Object>(context: self, plan: Object.entity.plan)
        maps[ObjectIdentifier(type)] = map
        return map
    }

    func records(of type: any Model.Type) -> RecordMap {
        func open<Object: Model>(_ type: Object.Type) -> RecordMap { records(type) }
        return maps[ObjectIdentifier(type)] ?? open(type)
    }

    var allRecords: [RecordMap] { Array(maps.values) }

    func inverse(of object: ManagedObject, _ relationship: Int) -> Int? { object.records?.inverse(relationship) }

    /// The unsaved links of a table, to note another one.
    func join(_ description: JoinDescription) -> JoinChanges {
        changeCount &+= 1
        if let join = joins[description.table] { return join }
        let join = JoinChanges(description, keepsUndone: parent != nil)
        joins[description.table] = join
        return join
    }

    /// The columns of an entity that a to-many of some entity is sorted by.
    func sortColumns(of plan: EntityPlan) -> ColumnSet {
        var columns = ColumnSet()
        for type in base.schema.entities {
            for relationship in type.entity.relationships where relationship.destination.entity.plan === plan {
                for sort in relationship.sortedBy {
                    if let column = plan.column(ofAttribute: sort.attribute) { columns.insert(column) }
                }
            }
        }
        return columns
    }

    func keepAlive(_ object: ManagedObject) {
        if recentlyResolved.count < Self.recentlyResolvedLimit {
            recentlyResolved.append(object)
        } else {
            recentlyResolved[nextRecent] = object
            nextRecent = (nextRecent + 1) % Self.recentlyResolvedLimit
        }
    }

    /// Lets every relationship be loaded again when it is next touched.
    func unloadLinks() { linkEpoch += 1 }

    // MARK: Reading

    /// Begins what the app asks of the store: what others have written since is taken over.
    ///
    /// Accessors do not call it, so that nothing changes under a loop that only goes through relationships.
    func beginReading() throws {
        try throwPendingReadError()
        if !isReading { try showCommits() }
    }

    /// As ``unloadLinks()``, but for an unsaved order of a many to many, which is nowhere else.
    func unloadLinksKeepingOrders() {
        let kept = reordered.compactMap { link, owner in owner.linksIfLoaded(link.relationship) }
        unloadLinks()
        for links in kept { links.epoch = linkEpoch }
    }

    /// Whether a connection is in use.
    private var isReading: Bool { activeDatabase != nil || parent?.isReading ?? false }

    /// Runs `body`, which is to run one statement, with a connection: the one in use, or one of the store's readers.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let activeDatabase { return try body(activeDatabase) }
        if let parent { return try parent.read(body) }
        return try StoreError.wrapping("reading the store") {
            // Without a transaction of its own, which would cost more than most queries: every read here is one
            // statement, and one statement sees one state of the database.
            try base.writer.unsafeRead { database in
                activeDatabase = database
                defer { activeDatabase = nil }
                return try body(database)
            }
        }
    }

    /// Runs `body`, whose reads are to see one state of the store, however many there are.
    func readingOneState<Value>(_ body: () throws -> Value) throws -> Value {
        if let parent { return try parent.readingOneState(body) }
        if activeDatabase != nil { return try body() }
        return try StoreError.wrapping("reading the store") {
            try base.writer.read { database in try reading(with: database, body) }
        }
    }

    /// Runs `body`, which reads with a connection that was lent.
    func reading<Value>(with database: Database, _ body: () throws -> Value) rethrows -> Value {
        activeDatabase = database
        defer { activeDatabase = nil }
        return try body()
    }

    /// Runs `body` with the writer's connection, in one transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.wrapping("saving") {
            do {
                return try base.writer.write { database in
                    activeDatabase = database
                    defer { activeDatabase = nil }
                    return try body(database)
                }
            } catch {
                // GRDB does not tell of a rollback that SQLite makes by itself, as for a full disk.
                base.writer.writeWithoutTransaction { [tracker = base.tracker] _ in tracker.abandon() }
                throw error
            }
        }
    }

    // MARK: Errors of accessors that cannot throw

    /// Runs `body`; what it throws is remembered and thrown by the next save or fetch.
    func remembering<Value>(_ body: () throws -> Value?) -> Value? {
        do { return try body() } catch {
            remember(error)
            return nil
        }
    }

    func remember(_ error: any Error) { pendingReadError = pendingReadError ?? error }

    func throwPendingReadError() throws {
        guard let error = pendingReadError else { return }
        pendingReadError = nil
        throw error
    }

    // MARK: Refused changes

    func refuse(_ change: RefusedChange) {
        changeRecorder?.willChangeRefusals(Refusals(of: self))
        refusedChanges.append(change)
    }

    /// Forgets what was refused of a relationship, because it was set again.
    func withdrawRefusals(of owner: ManagedObject, _ relationship: Int, only other: ManagedObject? = nil) {
        guard !refusedChanges.isEmpty else { return }
        let former = Refusals(of: self)
        refusedChanges.removeAll { change in
            change.owner === owner && change.relationship == relationship && (other == nil || change.other === other)
        }
        if refusedChanges.count != former.changes.count { changeRecorder?.willChangeRefusals(former) }
    }

    func restoreRefusals(_ former: Refusals) {
        refusedChanges = former.changes
        lostChange = former.lost
    }

    func withdrawRefusals() { refusedChanges = [] }

    func throwRefusedChanges() throws {
        guard !refusedChanges.isEmpty else { return }
        // Those of deleted records do not count; they do again when the delete is taken back.
        if let change = refusedChanges.first(where: { $0.owner?.recordState != .deleted }) { throw change.error }
    }

    /// Throws away every unsaved change, as ``rollback()`` does, and lets go of everything that was loaded.
    ///
    /// Relationships hold the records that they have loaded; a context that lives long and goes through many of them
    /// gives back their memory here. Records that the app holds stay good, and load again what they are asked for.
    public func reset() {
        rollback()
        letGo()
    }

    /// Lets go of everything that can be loaded again.
    func letGoOfLoaded() {
        // An unsaved order is nowhere else.
        if reordered.isEmpty { letGo() }
    }

    private func letGo() {
        for records in maps.values {
            for object in records.liveObjects { object.dropLinks() }
        }
        recentlyResolved = []
        nextRecent = 0
    }

    /// Forgets everything unsaved and lets go of every object, so that the context can be released.
    func close() {
        family.close()
        for observer in observers { observer.observer?.contextDidClose() }
        observers = []
        letGo()
        inserted = []
        changed = []
        deleted = []
        joins = [:]
        reordered = [:]
        formerOrders = [:]
        lostChange = nil
        refusedChanges = []
        maps = [:]
        pendingReadError = nil
        conflicts = [:]
        untold = StoreChange()
        disableUndo()
    }
}

/// Something that was asked for where nothing could be thrown.
struct RefusedChange {
    let error: any Error
    /// The record whose relationship it was; `nil` for a delete, which only a rollback takes back.
    var owner: ManagedObject?
    var relationship = 0
    /// The record that was to be linked.
    var other: ManagedObject?
}

/// One ordered many to many of one owner.
struct ReorderedLinks: Hashable {
    let owner: ObjectIdentifier
    let relationship: Int

    init(_ owner: ManagedObject, _ relationship: Int) {
        self.owner = ObjectIdentifier(owner)
        self.relationship = relationship
    }
}
