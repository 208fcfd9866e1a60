import GRDB

extension ManagedObject {
    // Two names instead of two overloads: every property of every model calls one of them, and Swift would try both.

    /// Reports that a property has changed. Values that are stored alike do not count as a change.
    @_spi(Generated) public final func didChange<Value: AttributeValue>(_ column: Int, from old: Value, to new: Value) {
        if !Value.isIdentical(old, new) { didChange(column, from: old.storedValue) }
    }

    /// Reports that an optional property has changed. Values that are stored alike do not count as a change.
    @_spi(Generated) public final func didChangeOptional<Value: AttributeValue>(
        _ column: Int, from old: Value?, to new: Value?
    ) {
        if !Value.isIdentical(old, new) { didChange(column, from: old?.storedValue ?? .null) }
    }

    /// Reports that an optional attachment has changed. An attachment that the store knows without its bytes counts as
    /// changed if it gets them.
    @_spi(Generated) public final func didChangeOptional(
        _ column: Int, from old: FileAttachment?, to new: FileAttachment?
    ) {
        context.willReplace(old, by: new)
        guard old != new || new?.content.hasOwnBytes == true else { return }
        didChange(column, from: old?.storedValue ?? .null)
    }

    /// Reports that the property of a column has a value other than `old`.
    final func didChange(_ column: Int, from old: @autoclosure () -> DatabaseValue) {
        mark(column, from: old())
        records?.didChange(column, of: self)
        guard isObservable else { return }
        didChange(.attribute(column))
        if !isLoading { context.observation?.compare(in: context) }
    }

    /// Reports that a foreign key property has changed, and updates both owners' loaded relationships.
    @_spi(Generated) public final func didChangeKey<Key: IdentityValue>(
        _ relationship: Int, from old: Key?, to new: Key?
    ) {
        guard !Key.isIdentical(old, new), let records else { return }
        context.beginChange()
        defer { context.endChange() }
        let columns = records.plan.foreignKeys[relationship]
        for (index, column) in columns.enumerated() { mark(column, from: old?.keyValues[index] ?? .null) }
        if state != .deleted {
            if !isLoading { context.errors.withdraw(of: self, for: relationship) }
            records.relink(self, for: relationship, from: old?.recordKey, to: new?.recordKey)
        }
        didChange(.attribute(columns[0]))
    }

    private func mark(_ column: Int, from old: @autoclosure () -> DatabaseValue) {
        guard !isLoading else { return }
        context.unsaved.didChange()
        context.recorders.current?.willChange(self, column: column, from: old())
        switch state {
        case .stored:
            state = .changed
            noteOriginal(column, old: old())
            context.unsaved.changed.append(self)
        case .changed: noteOriginal(column, old: old())
        case .deleted: context.noteLostChange(of: self, attribute: plan.columns[column].memberName)
        case .inserted, .missing: break
        }
    }

    private func noteOriginal(_ column: Int, old: @autoclosure () -> DatabaseValue) {
        guard !hasChanged(column) else { return }
        originalValues.append(OriginalValue(column: column, value: old()))
    }

    /// Whether a column of a stored record was changed.
    final func hasChanged(_ column: Int) -> Bool { originalValues.contains { $0.column == column } }

    /// The value that a changed column had when it was first changed; `nil` for one that is as in the store.
    final func originalValue(_ column: Int) -> DatabaseValue? {
        originalValues.first { $0.column == column }?.value
    }

    /// Makes a change count as made against another stored value.
    final func setOriginal(_ column: Int, to value: DatabaseValue) {
        guard let index = originalValues.firstIndex(where: { $0.column == column }) else { return }
        originalValues[index] = OriginalValue(column: column, value: value)
    }

    /// Forgets that a column was changed, because it has the store's value again.
    final func forgetChange(_ column: Int) {
        originalValues.removeAll { $0.column == column }
    }

    /// Forgets all changes, because they were saved or discarded.
    final func clearChanges() { originalValues = [] }
}

/// The value that a changed column had when it was last read.
struct OriginalValue {
    let column: Int
    let value: DatabaseValue
}
