import LockstepStore

extension PageCache {
    /// Makes it larger for so many records of an entity, where that helps.
    func enlarge(for count: Int, of entity: MergeEntity) throws {
        // Whole numbers are the keys of the rows themselves, and mostly come in their order.
        guard entity.keyForm != .integer else { return }
        try enlarge(for: count)
    }
}
