import LockstepTables

/// A record of any entity of a store.
struct RecordReference: Hashable {
    /// The index of the entity in the `SchemaPlan`.
    let entity: Int
    let key: RecordKey
}
