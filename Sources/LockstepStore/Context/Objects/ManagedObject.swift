import GRDB
import Foundation
public import Observation

/// The base class of every generated model. It reports changes to its context, and resolves relationships.
///
/// A model belongs to its context's isolation domain and is not sendable; its representation is.
///
/// A model of the main actor's context, or of one of its children, is `Observable`: a SwiftUI view that reads a
/// property in its `body` is updated when that property changes, whatever changes it.
open class ManagedObject: Observable {
    /// The context that the object belongs to.
    public final var context: ManagedObjectContext { contextReference.takeUnretainedValue() }
    /// Unmanaged, because a child or scratch context holds its changed objects and must go away with them when the app
    /// releases it. This is safe, because such a context assigns its objects another one before it goes away.
    private final var contextReference: Unmanaged<ManagedObjectContext>
    /// Whether the object keeps its context alive.
    private final var keepsContext: Bool
    /// The state of the object between its context and the store.
    public final var recordState: RecordState {
        didRead(.state)
        return state
    }
    /// The same, for the library itself, whose reads are not the app's.
    final var state: RecordState { didSet { if state != oldValue { didChange(.state) } } }

    /// Whether code can observe the object, because its context is the main actor's.
    @usableFromInline final let isObservable: Bool
    /// Whether the context finds the object by its identity.
    final var isRegistered = false
    /// Whether a row is being loaded, so that changes are not the app's.
    final var isLoading = false
    /// Who observes the object; `nil` until tracked code has read it.
    final var observers: ObserverList?
    /// The values that the changed columns of a stored record had when they were first changed.
    final var originalValues: [OriginalValue] = []
    /// The context's records of this entity; `nil` until the object is registered.
    final var records: RecordMap?
    /// What was loaded for the relationships, by index; empty until first accessed.
    private final var loaded: [LoadedRelationship] = []

    /// What was loaded for one relationship.
    private enum LoadedRelationship {
        case nothing
        case links(LoadedLinks)
        /// The record that a to-one pointed at when it was loaded.
        case destination(ManagedObject)
    }

    /// For a new object. The generated initializer calls ``ManagedObjectContext/insert(_:)`` after setting every value.
    @_spi(Generated) public init(context: ManagedObjectContext) {
        (contextReference, keepsContext) = Self.reference(to: context)
        isObservable = context.observation != nil
        state = .inserted
        if !keepsContext { context.family.track(self) }
    }

    /// For an object that is created from a row.
    @_spi(Generated) public init(loadedIn context: ManagedObjectContext) {
        (contextReference, keepsContext) = Self.reference(to: context)
        isObservable = context.observation != nil
        state = .stored
        if !keepsContext { context.family.track(self) }
    }

    deinit {
        if keepsContext { contextReference.release() }
    }

    private static func reference(to context: ManagedObjectContext) -> (Unmanaged<ManagedObjectContext>, Bool) {
        context.family.isDroppable ? (.passUnretained(context), false) : (.passRetained(context), true)
    }

    /// Moves the object from a context that goes away to one that the object keeps alive, and discards its state.
    final func retire(to context: ManagedObjectContext) {
        dropLinks()
        records = nil
        contextReference = .passRetained(context)
        keepsContext = true
        // Observers may ask for the context.
        state = .deleted
    }

    // MARK: For generated code to override

    /// Writes the value of a column.
    @_spi(Generated) open func bind(_ column: Int, to row: inout RowWriter) {}

    /// Sets the property of a column from a row of all columns.
    @_spi(Generated) open func load(_ column: Int, from row: RowReader) {}

    /// Sets the foreign key property of a to-one that holds the key.
    @_spi(Generated) open func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {}

    /// Sets the position in the ordered inverse of a to-one that holds the key.
    @_spi(Generated) open func setPosition(_ relationship: Int, to position: Int?) {}

    // MARK: Loaded relationships

    /// The loaded links of a relationship, created empty and unloaded if needed.
    final func links(_ relationship: Int) -> LoadedLinks {
        if relationship < loaded.count, case .links(let links) = loaded[relationship] { return links }
        let links = LoadedLinks()
        setLoaded(.links(links), for: relationship)
        return links
    }

    /// Keeps the record that a to-one points at, so that it stays loaded.
    final func keep(_ destination: ManagedObject, for relationship: Int) {
        setLoaded(.destination(destination), for: relationship)
    }

    /// Records that a to-one leads to no record now.
    ///
    /// - Parameter absence: The key that no record has.
    final func keepNoDestination(for relationship: Int, absence: LoadedLinks.Absence? = nil) {
        let links = links(relationship)
        links.replace(with: [])
        links.absence = absence
        links.epoch = context.linkEpoch
    }

    /// The kept record of a to-one. The key may have changed since.
    final func keptDestination(_ relationship: Int) -> ManagedObject? {
        guard relationship < loaded.count, case .destination(let object) = loaded[relationship] else { return nil }
        return object
    }

    /// Whether the kept record of a to-one is the one that it points at.
    final func hasKeptDestination(_ relationship: Int) -> Bool {
        guard let kept = validDestination(relationship) else { return false }
        return kept.recordKey == foreignKey(relationship)
    }

    /// The kept record of a to-one, unless it has to be looked up again whatever the key is.
    final func validDestination(_ relationship: Int) -> ManagedObject? {
        guard let kept = keptDestination(relationship), kept.isRegistered, kept.state != .deleted,
            !context.commits.isUnread(kept)
        else { return nil }
        return kept
    }

    private func setLoaded(_ value: LoadedRelationship, for relationship: Int) {
        if loaded.count <= relationship {
            loaded.reserveCapacity(relationship + 1)
            while loaded.count <= relationship { loaded.append(.nothing) }
        }
        loaded[relationship] = value
    }

    /// Releases everything that was loaded for the relationships.
    final func dropLinks() { loaded = [] }

    /// The loaded links of a relationship, if they are still valid.
    final func linksIfLoaded(_ relationship: Int) -> LoadedLinks? {
        guard relationship < loaded.count, case .links(let links) = loaded[relationship],
            links.epoch == context.linkEpoch
        else { return nil }
        return links
    }
}

/// The state of a model between its context and the store.
public enum RecordState: Sendable, Hashable, CaseIterable {
    /// New. The next save stores it.
    case inserted
    /// As in the store.
    case stored
    /// In the store, with changes that the next save writes.
    case changed
    /// Deleted already, or by the next save; or discarded by a rollback before it was saved.
    case deleted
    /// A placeholder for a record that is not in the store: the value of a required to-one whose target does not exist
    /// yet.
    case missing

    /// Whether the record has values that only the context has.
    var isUnsaved: Bool { self == .inserted || self == .changed }
}
