import GRDB
package import LockstepTables

extension MergeTransaction {
    /// The row of a conflict function's result, which is read like a merge reads a representation.
    ///
    /// - Returns: The cells of all columns, absent for those that the representation does not contain.
    /// - Throws: `MergeError` if it cannot be stored.
    package func row(of value: some WireObject, entity description: EntityDescription) throws -> [DatabaseValue?] {
        guard let index = plan.index(of: description.plan) else { return [] }
        let staging = Staging(planWithoutHooks)
        let problems = ConflictProblems()
        let reader = RecordReader(staging, recorder: problems, missingKeys: .keep)
        let entity = planWithoutHooks.entities[index]
        let row = try RepresentationReader(reader, root: entity).read(value, of: entity, origin: Origin(record: 0))
        try LinkResolver(staging: staging, identities: identities).resolve()
        let table = staging.tables[index]
        if staging.isSkipped(row, of: index) || problems.reason != nil {
            throw MergeError(
                .invalidRecord, entity: entity.plan.name,
                reason: "the conflict function returned an invalid record: \(problems.reason ?? "it cannot be stored")",
                remedy: "Return a record that is valid by the schema. The merge was rolled back.")
        }
        let cells = table.row(row)
        return table.entity.plan.columns.indices.map { column in
            cells[column].kind == .absent ? nil : cells[column].databaseValue
        }
    }
}

/// Collects what is invalid in the result of a conflict function.
private final class ConflictProblems: SkipRecorder {
    private(set) var reason: String?

    func skip(
        _ entity: MergeEntity, record: Int, row: Int, path: [String], reason: String, isIdentityMissing: Bool
    ) throws {
        // If the server assigns the identity, a record that has not got one yet has no identity in its representation.
        if !isIdentityMissing { self.reason = "\(path.joined(separator: ".")) \(reason)" }
    }

    func noteUnread(_ key: String, for relationship: Int, of entity: MergeEntity) {}
}
