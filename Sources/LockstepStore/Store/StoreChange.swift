/// What one or more commits have changed in a store.
struct StoreChange: Sendable {
    /// What was changed of each table, by its name.
    var tables: [String: TableChange] = [:]
}

/// What was changed of one table.
struct TableChange: Sendable {
    /// Whether rows were inserted. Which ones, a query tells.
    var hasInserts = false
    /// The keys of rows that were changed and are there.
    var updated: Set<RecordKey> = []
    /// The keys of rows that were deleted, those that have been inserted again since included.
    var deleted: Set<RecordKey> = []
    /// Whether so much was changed that the keys are not listed: any row may be another one.
    var isUnbounded = false
}

/// Follows what a context shows.
protocol ContextObserver: AnyObject {
    /// The context has taken over what commits have changed, its own saves included; several that came together are
    /// one call. It is called in the context's isolation domain.
    func contextDidRefresh(_ change: StoreChange)

    /// The context is done with: nothing more will come.
    func contextDidClose()
}
