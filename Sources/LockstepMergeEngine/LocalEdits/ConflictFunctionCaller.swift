package import GRDB

/// The rows of a record in conflict, with all columns.
package struct RowConflict {
    package let base: [DatabaseValue]?
    package let local: [DatabaseValue]
    package let remote: [DatabaseValue]?
}

/// Calls the conflict functions of an app, which know models, for a merge, which knows rows.
package protocol ConflictFunctionCaller: Sendable {
    /// - Returns: The resulting cells, absent for columns that the function did not decide about; `nil` to delete the
    ///   record.
    func resolve(
        _ conflict: RowConflict, by function: any ConflictFunction, in transaction: MergeTransaction
    ) throws -> [DatabaseValue?]?
}
