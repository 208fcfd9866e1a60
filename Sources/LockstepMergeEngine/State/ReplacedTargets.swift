import LockstepTables

/// Records that were replaced by others at the other end of a to-one that holds the key (Rules.md, R4).
struct ReplacedTargets {
    struct Target {
        let owner: MergeEntity
        let relationship: MergeRelationship
        let key: [Cell]
    }

    private(set) var targets: [Target] = []
    private var references: Set<RecordReference> = []
    /// Stores texts until the end of the merge.
    private let arena = TextArena()

    /// Adds the record that a row referred to before it was written.
    mutating func add(_ relationship: MergeRelationship, of owner: MergeEntity, key: [Cell]) {
        targets.append(Target(owner: owner, relationship: relationship, key: key.map { $0.copied(to: arena) }))
        references.insert(
            RecordReference(entity: relationship.destination, key: RecordKey(key.map(\.databaseValue))))
    }

    func contains(_ record: RecordReference) -> Bool { references.contains(record) }
}
