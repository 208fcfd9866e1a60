import GRDB

/// Is notified of every unsaved change, so that it can be taken back.
protocol ChangeRecorder: AnyObject {
    /// A column of an object had the value `old`; the object may have the new one already.
    func willChange(_ object: ManagedObject, _ column: Int, from old: DatabaseValue)

    func willInsert(_ object: ManagedObject)

    func willDelete(_ object: ManagedObject)

    /// A new object will be found at its key, which another one had.
    func willUncover(_ object: ManagedObject)

    /// An object was noted as linked to an owner.
    func didLink(_ object: ManagedObject, to owner: RecordKey, in index: LinkIndex)

    /// A link of a many to many was noted as made or taken away.
    func didNote(_ note: JoinChanges.Note, in joins: JoinChanges)

    /// The members of a relationship of an owner will be others, or have another order.
    func willReorder(_ owner: ManagedObject, _ relationship: Int)

    /// What was refused will be something else than this.
    func willChangeRefusals(_ former: Refusals)

    /// A row will be taken over. Rows are read again for many reasons; only another one than that known counts.
    func willTakeOver(_ row: RowReader, _ object: ManagedObject)

    /// What is changed until the matching `endChange` was caused by one call.
    func beginChange()
    func endChange()

    /// Everything unsaved was saved, or thrown away: there is nothing to take back.
    func clear()

    /// Whether anything that was recorded touches the object.
    func touches(_ object: ManagedObject) -> Bool

    /// What is known of an object that is touched was changed by others, or its record is gone.
    func didChangeUnderneath(_ object: ManagedObject)
}
