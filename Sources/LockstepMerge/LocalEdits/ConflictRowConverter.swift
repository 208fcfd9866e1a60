import GRDB
import LockstepStore

/// Converts rows for the conflict functions of an app.
struct ConflictRowConverter: RowConverter {
    let transaction: MergeTransaction
    let maker: RepresentationMaker

    func representation<Object: Model>(_ type: Object.Type, of row: [DatabaseValue]) throws -> Object.Representation? {
        try maker.make(type, of: row, in: transaction.database)
    }

    /// Reads a representation like a merge does.
    func row<Object: Model>(_ type: Object.Type, of value: Object.Representation) throws -> [DatabaseValue?] {
        guard let index = transaction.plan.index(of: type.entity.plan) else { return [] }
        let staging = Staging(transaction.planWithoutHooks)
        let problems = ConflictProblems()
        let reader = RecordReader(staging, recorder: problems, missingKeys: .keep)
        let entity = transaction.planWithoutHooks.entities[index]
        let row = try RepresentationReader(reader, root: entity).read(value, of: entity, origin: Origin(record: 0))
        try LinkResolver(staging: staging, identities: transaction.identities).resolve()
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
