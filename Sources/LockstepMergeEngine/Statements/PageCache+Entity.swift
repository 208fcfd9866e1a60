import LockstepTables

extension PageCache {
    /// Enlarges the cache for this many records of an entity, if that helps.
    func enlarge(for count: Int, of entity: MergeEntity) throws {
        // Integer keys are row IDs, and mostly occur in order.
        guard entity.keyForm != .integer else { return }
        try enlarge(for: count)
    }
}
