public import LockstepStore

extension MergeSummary {
    /// The result for the records of one entity.
    public subscript<Object: Model>(type: Object.Type) -> EntityMerge {
        entities.first { $0.entity == Object.entity.name } ?? EntityMerge(entity: Object.entity.name)
    }

    /// Returns the identities of the records of one entity with an outcome.
    ///
    /// There may be a million; the array is created on each call. It is empty if ``MergeOptions/listsIdentities`` was
    /// `false`.
    public func identities<Object: Model>(_ outcome: MergeOutcome, of type: Object.Type) -> [Object.Identity] {
        let lists = self[type].lists
        return lists.isEmpty ? [] : lists[outcome.rawValue].identities(of: type)
    }
}
