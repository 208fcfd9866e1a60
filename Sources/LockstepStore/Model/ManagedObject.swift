import GRDB
import Foundation

/// The base class of every generated model: it tells its context what changes, and resolves relationships.
///
/// A model belongs to its context's isolation domain and is not sendable; its representation is.
open class ManagedObject {
    /// The unit of work the object lives in.
    public final var context: Context { contextReference.takeUnretainedValue() }
    /// Not a plain reference: a child or scratch context holds its changed objects, and must go away with them when the
    /// app lets go of it. Sound, because such a context gives its objects another one before it goes.
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
    public init(context: Context) {
        (contextReference, keepsContext) = Self.reference(to: context)
        recordState = .inserted
        if !keepsContext { context.family.track(self) }
    }

    /// For an object that is made from a row.
    public init(loadedIn context: Context) {
        (contextReference, keepsContext) = Self.reference(to: context)
        recordState = .stored
        if !keepsContext { context.family.track(self) }
    }

    deinit {
        if keepsContext { contextReference.release() }
    }

    private static func reference(to context: Context) -> (Unmanaged<Context>, Bool) {
        context.isDroppable ? (.passUnretained(context), false) : (.passRetained(context), true)
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
    open func bind(_ column: Int, to row: inout RowWriter) {}

    /// Sets the property of a column from a row of all columns.
    open func load(_ column: Int, from row: RowReader) {}

    /// Sets the foreign key property of a to-one that holds the key.
    open func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {}

    /// Sets the place in the ordered inverse of a to-one that holds the key.
    open func setPosition(_ relationship: Int, to position: Int?) {}

    // MARK: Changes

    /// Tells that the property of a column has another value than `old`.
    final func didChange(_ column: Int, from old: @autoclosure () -> DatabaseValue) {
        mark(column, from: old())
        records?.didChange(column, of: self)
    }

    /// Tells that a foreign key property has changed: both owners' loaded relationships follow.
    public final func didChangeKey<Key: IdentityValue>(_ relationship: Int, from old: Key?, to new: Key?) {
        guard !Key.isIdentical(old, new), let records else { return }
        context.beginChange()
        defer { context.endChange() }
        for (place, column) in records.plan.foreignKeys[relationship].enumerated() {
            mark(column, from: old?.keyValues[place] ?? .null)
        }
        guard recordState != .deleted else { return }
        if !isLoading { context.withdrawRefusals(of: self, relationship) }
        records.relink(self, relationship, from: old?.recordKey, to: new?.recordKey)
    }

    private final func mark(_ column: Int, from old: @autoclosure () -> DatabaseValue) {
        guard !isLoading else { return }
        context.changeCount &+= 1
        context.changeRecorder?.willChange(self, column, from: old())
        switch recordState {
        case .stored:
            recordState = .changed
            noteOriginal(column, old())
            context.noteChanged(self)
        case .changed: noteOriginal(column, old())
        case .deleted: context.noteLostChange(of: self, attribute: plan.columns[column].memberName)
        case .inserted, .missing: break
        }
    }

    private final func noteOriginal(_ column: Int, _ old: @autoclosure () -> DatabaseValue) {
        guard !changedColumns.contains(column) else { return }
        columnChanges.columns.insert(column)
        columnChanges.originals.append(OriginalValue(column: column, value: old()))
    }

    /// The changed columns of a stored record.
    final var changedColumns: ColumnSet { columnChanges.columns }

    /// What the changed columns of a stored record had when they were first changed.
    final var originalValues: [OriginalValue] { columnChanges.originals }

    /// What a changed column had when it was first changed; `nil` for one that is as in the store.
    final func originalValue(_ column: Int) -> DatabaseValue? {
        guard changedColumns.contains(column) else { return nil }
        return originalValues.first { $0.column == column }?.value
    }

    /// Lets a change count as made to another value than it was made to.
    final func setOriginal(_ column: Int, _ value: DatabaseValue) {
        guard let index = originalValues.firstIndex(where: { $0.column == column }) else { return }
        columnChanges.originals[index] = OriginalValue(column: column, value: value)
    }

    /// Forgets that a column was changed: it has the store's value again.
    final func forgetChange(_ column: Int) {
        columnChanges.columns.remove(column)
        columnChanges.originals.removeAll { $0.column == column }
    }

    /// Forgets what was changed: it is in the store now, or will not be.
    final func clearChanges() {
        columnChanges = ColumnChanges()
    }

    // MARK: Values without their types

    /// The value of a column as it would be stored.
    final func storedValue(_ column: Int) -> DatabaseValue {
        var writer = RowWriter(capturing: plan)
        writer.take(column, of: self)
        return writer.captured
    }

    /// The attachment of a column, with the bytes that it may have in memory.
    final func attachment(_ column: Int) -> Attachment? {
        var writer = RowWriter(capturing: plan)
        writer.take(column, of: self)
        return writer.capturedAttachment
    }

    final var plan: EntityPlan { records?.plan ?? Self.plan(of: self) }

    /// The entity's plan for an object that no context knows.
    private static func plan(of object: ManagedObject) -> EntityPlan {
        guard let type = type(of: object) as? any Model.Type else {
            preconditionFailure("\(type(of: object)) is a ManagedObject but no Model")
        }
        return type.entity.plan
    }

    /// The values of the key columns.
    package final var recordKey: RecordKey {
        let plan = plan
        return key(plan.keyColumns, plan) ?? RecordKey(plan.keyColumns.map(storedValue))
    }

    /// The key that a to-one points at; `nil` where it points at none.
    final func foreignKey(_ relationship: Int) -> RecordKey? {
        let plan = plan
        return key(plan.foreignKeys[relationship], plan)
    }

    /// The key that is in some columns; `nil` where one of them is NULL, or there are none.
    private final func key(_ columns: [Int], _ plan: EntityPlan) -> RecordKey? {
        if columns.count == 1 {
            var writer = RowWriter(capturingKeyOf: plan)
            writer.take(columns[0], of: self)
            return writer.capturedKey
        }
        let values = columns.map(storedValue)
        return values.isEmpty || values.contains(.null) ? nil : RecordKey(values)
    }

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

    /// Lets go of everything that was loaded of the relationships.
    final func dropLinks() { loadedLinks = [] }

    /// What was loaded of a relationship, if it was and is still good.
    final func linksIfLoaded(_ relationship: Int) -> LoadedLinks? {
        guard relationship < loadedLinks.count, let links = loadedLinks[relationship],
            links.epoch == context.linkEpoch
        else { return nil }
        return links
    }
}

/// What was changed of a stored record.
struct ColumnChanges {
    var columns = ColumnSet()
    var originals: [OriginalValue] = []
}

/// The value that a changed column had when it was last read.
struct OriginalValue {
    let column: Int
    let value: DatabaseValue
}
