import GRDB

/// An observer of every unsaved change, which can undo them.
protocol ChangeRecorder: AnyObject {
    /// A column of an object had the value `old`. The object may have the new value already.
    func willChange(_ object: ManagedObject, column: Int, from old: DatabaseValue)

    func willInsert(_ object: ManagedObject)

    func willDelete(_ object: ManagedObject)

    /// A new object is about to be found at its key, which belonged to another object.
    func willUncover(_ object: ManagedObject)

    /// An object was recorded as linked to an owner.
    func didLink(_ object: ManagedObject, to owner: RecordKey, in index: LinkIndex)

    /// A link of a many-to-many relationship was recorded as added or removed.
    func didNote(_ note: JoinChanges.Note, in joins: JoinChanges)

    /// The members of an owner's relationship, or their order, are about to change.
    func willReorder(_ owner: ManagedObject, for relationship: Int)

    /// The refused changes are about to differ from these.
    func willChangeRefusals(_ former: Refusals)

    /// A row is about to be merged into an object. Rows are read again for many reasons; only a row with other values
    /// counts.
    func willTakeOver(_ row: RowReader, of object: ManagedObject)

    /// Begins a change: all changes until the matching `endChange` are caused by one call.
    func beginChange()
    func endChange()

    /// All unsaved changes were saved or discarded, so there is nothing to undo.
    func clear()

    /// Whether any recorded change involves the object.
    func touches(_ object: ManagedObject) -> Bool

    /// The stored values of an object with recorded changes were changed elsewhere, or its record was deleted.
    func didChangeUnderneath(_ object: ManagedObject)
}
