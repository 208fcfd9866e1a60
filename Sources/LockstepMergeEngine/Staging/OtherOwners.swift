import LockstepTables

/// The owners of records that are in the store and not in a batch, for all to-one relationships of their entity.
///
/// If a table is the same as the batch except for these records, a list of any other owner is the same, too.
struct OtherOwners {
    /// If there are more records than this, the lists are read instead.
    static let recordLimit = 64

    private let foreignKeys: [(relationship: Int, columns: [Int])]
    private var owners: [Int: Set<KeyFingerprint>] = [:]
    private var recordCount = 0

    init(_ entity: MergeEntity) {
        foreignKeys = entity.relationships.enumerated().compactMap { index, link in link.foreignKey.map { (index, $0) }
        }
    }

    /// Adds a record that the batch does not have.
    ///
    /// - Returns: Whether there are few enough.
    mutating func add(_ record: RawStatement) -> Bool {
        recordCount += 1
        guard recordCount <= Self.recordLimit else { return false }
        for (relationship, columns) in foreignKeys {
            owners[relationship, default: []].insert(columns.map { record.cell($0) }.fingerprint)
        }
        return true
    }

    /// Whether an owner has records that the batch does not have.
    func contains(_ owner: KeyFingerprint, for relationship: Int) -> Bool {
        owners[relationship]?.contains(owner) ?? false
    }
}
