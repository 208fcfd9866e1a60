import GRDB
import LockstepTables

/// Finds out whether something in the store refers to a record, whether or not the store has the record.
final class StoredReferences {
    private let plan: MergePlan
    private let database: Database
    /// By entity.
    private var finds: [Int: Find] = [:]

    private struct Find {
        let statement: RawStatement
        /// The relationships whose members may wait for the record.
        let relationships: [DatabaseValue]
    }

    init(_ plan: MergePlan, in database: Database) {
        self.plan = plan
        self.database = database
    }

    /// Whether a foreign key, a row of a many-to-many or a waiting link refers to a record.
    ///
    /// - Parameter key: A key of one column.
    func exist(to key: DatabaseValue, of entity: MergeEntity) throws -> Bool {
        let find = try finds[entity.index] ?? makeFind(for: entity)
        finds[entity.index] = find
        return try find.statement.firstValue([key] + find.relationships) != nil
    }

    private func makeFind(for entity: MergeEntity) throws -> Find {
        let relationships = plan.entities.flatMap { owners in
            owners.relationships.filter { $0.destination == entity.index && $0.description.listsIdentities }
                .map { WaitingLinkTable.name(of: $0.description, in: owners.plan).databaseValue }
        }
        let holders = plan.holders(of: entity.plan).map { table, column in
            "SELECT 1 FROM \(SQLName.quoted(table)) WHERE \(SQLName.quoted(column)) = ?1"
        }
        let waiting =
            relationships.isEmpty ? [] : [WaitingLinkTable.findWaiting(relationshipCount: relationships.count)]
        let exists = (holders + waiting).map { "EXISTS (\($0))" }.joined(separator: " OR ")
        let statement = try RawStatement("SELECT 1 WHERE \(exists.isEmpty ? "false" : exists)", in: database)
        return Find(statement: statement, relationships: relationships)
    }
}
