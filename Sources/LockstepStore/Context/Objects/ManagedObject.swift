import GRDB
import Foundation

/// The base class of every generated model: it tells its context what changes, and resolves relationships.
///
/// A model belongs to its context's isolation domain and is not sendable; its representation is.
open class ManagedObject {
    /// The unit of work the object lives in.
    public final var context: Context { contextReference.takeUnretainedValue() }
    /// Not a plain reference: a child or scratch context holds its changed objects, and must go away with them when the
    /// app releases it. Sound, because such a context gives its objects another one before it goes.
    private final var contextReference: Unmanaged<Context>
    /// Whether the object keeps its context alive.
    private final var keepsContext: Bool
    /// Where the object stands between its context and the store.
    public internal(set) final var recordState: RecordState

    /// What was changed of a stored record.
    final var columnChanges = ColumnChanges()
    /// Whether the context finds the object by its identity.
    final var isRegistered = false
    /// While a row is taken over, changes are not the app's.
    final var isLoading = false
    /// The context's records of this entity; `nil` until the object is registered.
    final var records: RecordMap?
    /// What was loaded of the to-many and inverse to-one relationships, by their places; empty until first touched.
    private final var loadedLinks: [LoadedLinks?] = []

    /// For a new object; the generated initializer calls ``Context/insert(_:)`` when every value is set.
    @_spi(Generated) public init(context: Context) {
        (contextReference, keepsContext) = Self.reference(to: context)
        recordState = .inserted
        if !keepsContext { context.family.track(self) }
    }

    /// For an object that is made from a row.
    @_spi(Generated) public init(loadedIn context: Context) {
        (contextReference, keepsContext) = Self.reference(to: context)
        recordState = .stored
        if !keepsContext { context.family.track(self) }
    }

    deinit {
        if keepsContext { contextReference.release() }
    }

    private static func reference(to context: Context) -> (Unmanaged<Context>, Bool) {
        context.family.isDroppable ? (.passUnretained(context), false) : (.passRetained(context), true)
    }

    /// Leaves a context that goes away, for one that the object keeps alive: what it was is thrown away.
    final func retire(to context: Context) {
        dropLinks()
        records = nil
        recordState = .deleted
        contextReference = .passRetained(context)
        keepsContext = true
    }

    // MARK: For generated code to override

    /// Writes the value of a column.
    @_spi(Generated) open func bind(_ column: Int, to row: inout RowWriter) {}

    /// Sets the property of a column from a row of all columns.
    @_spi(Generated) open func load(_ column: Int, from row: RowReader) {}

    /// Sets the foreign key property of a to-one that holds the key.
    @_spi(Generated) open func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {}

    /// Sets the place in the ordered inverse of a to-one that holds the key.
    @_spi(Generated) open func setPosition(_ relationship: Int, to position: Int?) {}

    // MARK: Loaded relationships

    /// What was loaded of a relationship; made empty and unloaded at first.
    final func links(_ relationship: Int) -> LoadedLinks {
        if relationship < loadedLinks.count, let links = loadedLinks[relationship] { return links }
        if loadedLinks.isEmpty {
            loadedLinks = Array(repeating: nil, count: relationship + 1)
        }
        while loadedLinks.count <= relationship { loadedLinks.append(nil) }
        let links = LoadedLinks()
        loadedLinks[relationship] = links
        return links
    }

    /// Releases everything that was loaded of the relationships.
    final func dropLinks() { loadedLinks = [] }

    /// What was loaded of a relationship, if it was and is still good.
    final func linksIfLoaded(_ relationship: Int) -> LoadedLinks? {
        guard relationship < loadedLinks.count, let links = loadedLinks[relationship],
            links.epoch == context.linkEpoch
        else { return nil }
        return links
    }
}

/// Where a model stands between its context and the store.
public enum RecordState: Sendable, Hashable, CaseIterable {
    /// New: stored by the next save.
    case inserted
    /// As in the store.
    case stored
    /// In the store, with changes that the next save writes.
    case changed
    /// Deleted, by the next save or already; or it never came to be, because its context was rolled back.
    case deleted
    /// A stand-in for a record that is not in the store: what a required to-one gives where its link points nowhere
    /// yet.
    case missing
}
