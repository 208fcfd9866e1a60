import LockstepTables

extension MergeEntity {
    /// How the key of a record is restored from its fingerprint.
    var keyForm: KeyRegistry.KeyForm {
        guard plan.keyColumns.count == 1 else { return .kept }
        switch plan.columns[plan.keyColumns[0]].type {
        case .int, .int16, .int32, .int64: return .integer
        case .uuid: return .uuid
        default: return .kept
        }
    }
}
