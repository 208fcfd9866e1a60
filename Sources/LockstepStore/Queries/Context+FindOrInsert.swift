extension Context {
    /// Makes a record that was not found, as one step of the undo history. Where `make` throws, or what it made is not
    /// what was wanted, the records that it inserted are taken back.
    func making<Object: Model>(
        record: String? = nil, _ make: (Context) throws -> Object, check: (Object) throws -> Void = { _ in }
    ) throws -> Object {
        beginChange()
        defer { endChange() }
        let mark = InsertionMark(savedChanges: unsaved.clearCount, count: unsaved.inserted.count)
        do {
            let made = try make(self)
            guard made.context === self else {
                throw StoreError(
                    .otherContext, doing: "making a record that was not found", entity: Object.entity.name,
                    record: record, reason: "a record of another context was made",
                    remedy: "Make the new record in the context that `make` is given.")
            }
            try check(made)
            return made
        } catch {
            discardInsertions(since: mark)
            throw error
        }
    }

    /// Takes back the objects that were inserted after a mark and not saved since.
    private func discardInsertions(since mark: InsertionMark) {
        let known = mark.savedChanges == unsaved.clearCount ? mark.count : 0
        for object in unsaved.inserted.dropFirst(known).reversed() { ObjectDeletion(self).discard(object) }
    }
}

/// A moment in the list of a context's new objects.
struct InsertionMark {
    /// How often the list was emptied before.
    let savedChanges: Int
    let count: Int
}
