/// The changes of one or more commits in a store.
package struct StoreChange: Sendable {
    /// The changes of each table, by its name. Tables of many-to-many links are always unbounded.
    package var tables: [String: TableChange] = [:]

    package init() {}

    package var isEmpty: Bool { tables.isEmpty }

    /// Adds later changes.
    package mutating func merge(_ later: StoreChange) {
        // In place: the changes for a context that is never used must not be copied by every commit.
        for (table, change) in later.tables { tables[table, default: TableChange()].merge(change) }
    }
}

/// The changes of one table.
package struct TableChange: Sendable {
    /// Beyond this many keys, reading them one by one costs more than reading everything that is shown.
    static let keyLimit = 10_000

    /// Whether rows were inserted. A query is needed to find out which ones.
    package internal(set) var hasInserts = false
    /// The keys of rows that were changed and still exist.
    var updated: Set<RecordKey> = []
    /// The keys of rows that were deleted, including those that were inserted again since.
    var deleted: Set<RecordKey> = []
    /// Whether so much was changed that the keys are not listed. Any row may have changed.
    package internal(set) var isUnbounded = false

    package init(hasInserts: Bool = false, isUnbounded: Bool = false) {
        (self.hasInserts, self.isUnbounded) = (hasInserts, isUnbounded)
    }

    package var isEmpty: Bool { !hasInserts && !isUnbounded && updated.isEmpty && deleted.isEmpty }

    /// The changed or deleted rows.
    package var keys: Set<RecordKey> { updated.union(deleted) }

    mutating func noteUpdate(of key: RecordKey) {
        guard !isUnbounded else { return }
        updated.insert(key)
        limit()
    }

    mutating func noteDeletion(of key: RecordKey) {
        guard !isUnbounded else { return }
        updated.remove(key)
        deleted.insert(key)
        limit()
    }

    /// Adds later changes.
    mutating func merge(_ later: TableChange) {
        hasInserts = hasInserts || later.hasInserts
        if later.isUnbounded { forgetKeys() }
        guard !isUnbounded else { return }
        updated.subtract(later.deleted)
        updated.formUnion(later.updated)
        deleted.formUnion(later.deleted)
        limit()
    }

    private mutating func limit() {
        if updated.count + deleted.count > Self.keyLimit { forgetKeys() }
    }

    private mutating func forgetKeys() {
        isUnbounded = true
        updated = []
        deleted = []
    }
}
