import GRDB

/// Is told of every unsaved change, so that it can be taken back.
protocol ChangeRecorder: AnyObject {
    /// Lets `note` tell the step that takes in what is changed now.
    func record(_ note: (ChangeStep) -> Void)

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

extension ChangeRecorder {
    /// A column of an object had the value `old`; the object may have the new one already.
    func willChange(_ object: ManagedObject, _ column: Int, from old: DatabaseValue) {
        switch object.recordState {
        case .missing: return
        // What is set on a record that is gone for good concerns nobody.
        case .deleted where !touches(object): return
        default: record { $0.willChange(object, column, from: old) }
        }
    }

    func willInsert(_ object: ManagedObject) { record { $0.willInsert(object) } }

    func willDelete(_ object: ManagedObject) { record { $0.willDelete(object) } }

    /// A new object will be found at its key, which another one had.
    func willUncover(_ object: ManagedObject) { record { $0.willUncover(object) } }

    /// An object was noted as linked to an owner.
    func didLink(_ object: ManagedObject, to owner: RecordKey, in index: LinkIndex) {
        record { $0.unsavedLinks.append(UnsavedLink(index: index, owner: owner, object: object)) }
    }

    /// A link of a many to many was noted as made or taken away.
    func didNote(_ note: JoinChanges.Note, in joins: JoinChanges) { record { $0.joinNotes.append((joins, note)) } }

    /// The members of a relationship of an owner will be others, or have another order.
    func willReorder(_ owner: ManagedObject, _ relationship: Int) {
        guard case .manyToMany(let join) = owner.plan.relationships[relationship].kind, join.position != nil else {
            return
        }
        record { $0.willReorder(owner, relationship) }
    }

    func willChangeRefusals(_ former: Refusals) { record { $0.willChangeRefusals(former) } }

    /// A row will be taken over. Rows are read again for many reasons; only another one than that known counts.
    func willTakeOver(_ row: RowReader, _ object: ManagedObject) {
        guard touches(object) else { return }
        let isSame = object.plan.columns.indices.allSatisfy { column in
            let known = object.originalValue(column) ?? object.storedValue(column)
            return RecordKey([known]) == RecordKey([row.databaseValue(column)])
        }
        if !isSame { didChangeUnderneath(object) }
    }
}
