import LockstepTables

/// A record of any entity of a store.
struct RecordReference: Hashable {
    /// The index of the entity in `Store.plans`.
    let entity: Int
    let key: RecordKey
}
