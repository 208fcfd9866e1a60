/// Why a record cannot be merged.
struct RecordProblem {
    let path: [String]
    let reason: String
    let isIdentityMissing: Bool

    init(_ path: [String], reason: String, isIdentityMissing: Bool = false) {
        self.path = path
        self.reason = reason
        self.isIdentityMissing = isIdentityMissing
    }
}

/// Records the records that are skipped.
protocol SkipRecorder: AnyObject {
    /// - Throws: `MergeError` if a skipped record aborts the merge.
    func skip(
        _ entity: MergeEntity, record: Int, row: Int, path: [String], reason: String, isIdentityMissing: Bool
    ) throws

    /// A key is not read, although it looks like that of a relationship.
    func noteUnread(_ key: String, for relationship: Int, of entity: MergeEntity)
}
