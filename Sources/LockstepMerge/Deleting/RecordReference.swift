import LockstepStore

/// A record of any entity of a store.
struct RecordReference: Hashable {
    /// The entity's place in `Store.plans`.
    let entity: Int
    let key: RecordKey
}
