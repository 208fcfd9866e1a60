extension ManagedObjectContext {
    /// Creates a record that was not found, as one step of the undo history. If `make` throws, or the result is not the
    /// requested record, the records that it inserted are discarded.
    func making<Object: Model>(
        record: String? = nil, _ make: (ManagedObjectContext) throws -> Object,
        check: (Object) throws -> Void = { _ in }
    ) throws -> Object {
        beginChange()
        defer { endChange() }
        let mark = InsertionMark(savedChanges: unsaved.clearCount, count: unsaved.inserted.count)
        do {
            let made = try make(self)
            guard made.context === self else {
                throw StoreError(
                    .otherContext, doing: "creating a record that was not found", entity: Object.entity.name,
                    record: record, reason: "a record of another context was created",
                    remedy: "Create the new record in the context that is passed to `make`.")
            }
            try check(made)
            return made
        } catch {
            discardInsertions(since: mark)
            throw error
        }
    }

    /// Discards the objects that were inserted after a mark and not saved since.
    private func discardInsertions(since mark: InsertionMark) {
        let known = mark.savedChanges == unsaved.clearCount ? mark.count : 0
        for object in unsaved.inserted.dropFirst(known).reversed() { ObjectDeletion(self).discard(object) }
    }
}

/// A position in the list of a context's new objects.
struct InsertionMark {
    /// How often the list was emptied before.
    let savedChanges: Int
    let count: Int
}
