import LockstepStore

/// Records that others took the place of, at the end of a to-one that holds the key: they go where the relationship
/// cascades and is the only one (Rules.md, R4).
final class DisplacedRecords {
    private unowned let run: MergeRun
    private var records: [Record] = []
    /// Keeps texts until the end of the merge.
    private let arena = TextArena()

    private struct Record {
        let owner: MergeEntity
        let relationship: MergeRelationship
        let key: [Cell]
    }

    init(_ run: MergeRun) { self.run = run }

    /// Takes note of what a row pointed at, before it is written.
    func note(_ relationship: MergeRelationship, of owner: MergeEntity, _ key: [Cell]) {
        records.append(Record(owner: owner, relationship: relationship, key: key.map { $0.copied(to: arena) }))
    }

    /// Deletes those that nothing points at now, but for one that the server never had (Rules.md, M7).
    func settle() throws {
        guard run.options.nested.contains(.delete) else { return }
        for record in records where try !isPointedAt(record) {
            let entity = run.plan.entities[record.relationship.destination]
            if try !run.isOnlyHere(record.key, entity) { run.drop(record.key, entity) }
        }
    }

    private func isPointedAt(_ record: Record) throws -> Bool {
        let plan = record.owner.plan
        let names = (record.relationship.foreignKey ?? []).map { plan.columns[$0].name }
        let statement = try RawStatement(
            "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names)) LIMIT 1", run.database)
        statement.bind(record.key)
        return try statement.step()
    }
}
