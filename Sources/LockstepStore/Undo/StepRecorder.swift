import GRDB

/// Records changes in steps.
protocol StepRecorder: ChangeRecorder {
    /// Calls `note` with the step that records the current changes.
    func record(_ note: (ChangeStep) -> Void)
}

extension StepRecorder {
    func willChange(_ object: ManagedObject, column: Int, from old: DatabaseValue) {
        switch object.state {
        case .missing: return
        // What is set on a record that is permanently deleted does not matter.
        case .deleted where !touches(object): return
        default: record { $0.recordChange(of: object, column: column, from: old) }
        }
    }

    func willInsert(_ object: ManagedObject) { record { $0.recordInsertion(of: object) } }

    func willDelete(_ object: ManagedObject) { record { $0.recordDelete(of: object) } }

    func willUncover(_ object: ManagedObject) { record { $0.recordUncovering(of: object) } }

    func didLink(_ object: ManagedObject, to owner: RecordKey, in index: LinkIndex) {
        record { $0.unsavedLinks.append(UnsavedLink(index: index, owner: owner, object: object)) }
    }

    func didNote(_ note: JoinChanges.Note, in joins: JoinChanges) { record { $0.joinNotes.append((joins, note)) } }

    func willReorder(_ owner: ManagedObject, for relationship: Int) {
        guard case .manyToMany(let join) = owner.plan.relationships[relationship].kind, join.position != nil else {
            return
        }
        record { $0.recordOrder(of: owner, for: relationship) }
    }

    func willChangeRefusals(_ former: Refusals) { record { $0.recordRefusals(former) } }

    func willTakeOver(_ row: RowReader, of object: ManagedObject) {
        guard touches(object) else { return }
        let isSame = object.plan.columns.indices.allSatisfy { column in
            let known = object.originalValue(column) ?? object.storedValue(column)
            return RecordKey([known]) == RecordKey([row.databaseValue(column)])
        }
        if !isSame { didChangeUnderneath(object) }
    }
}
