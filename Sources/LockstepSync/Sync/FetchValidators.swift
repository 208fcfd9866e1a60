import Foundation
import GRDB
import LockstepStore

/// What earlier answers allow to ask, for each address with its query: kept in the store, in the transaction of the merge
/// that they belong to (Rules.md, H1).
enum FetchValidators {
    private static let table = "lockstep_validator"
    private static let createSQL = """
        CREATE TABLE IF NOT EXISTS lockstep_validator (
            address TEXT PRIMARY KEY NOT NULL, entity TEXT NOT NULL, entity_tag TEXT, started_at REAL, next TEXT
        )
        """

    static func find(_ address: String, _ database: Database) throws -> Validators? {
        guard try database.hasTable(table) else { return nil }
        let sql = "SELECT entity_tag, started_at, next FROM \(table) WHERE address = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [address]).map { row in
            Validators(
                entityTag: row[0], startedAt: (row[1] as Double?).map(Date.init(timeIntervalSince1970:)), next: row[2])
        }
    }

    static func keep(_ validators: Validators?, _ address: String, _ entity: String, _ database: Database) throws {
        guard let validators, validators.entityTag != nil || validators.startedAt != nil else {
            guard try database.hasTable(table) else { return }
            return try database.execute(sql: "DELETE FROM \(table) WHERE address = ?", arguments: [address])
        }
        try database.execute(sql: createSQL)
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO \(table) (address, entity, entity_tag, started_at, next) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                address, entity, validators.entityTag, validators.startedAt?.timeIntervalSince1970, validators.next,
            ])
    }

    /// Forgets what was asked of an entity, or of all: the next pull fetches everything.
    static func forget(_ entity: String?, _ database: Database) throws {
        guard try database.hasTable(table) else { return }
        guard let entity else { return try database.execute(sql: "DELETE FROM \(table)") }
        try database.execute(sql: "DELETE FROM \(table) WHERE entity = ?", arguments: [entity])
    }

    /// Forgets what was asked of those whose records a merge has deleted along, or that pointed at deleted ones: a server
    /// that still has them as they were would say that nothing has changed, and they would never come back.
    static func forget(
        after summary: MergeSummary, of root: EntityPlan, _ plans: [EntityPlan], _ database: Database
    ) throws {
        let deleted = Set(summary.entities.filter { $0.deleted > 0 }.map(\.entity))
        if deleted.isEmpty { return }
        for plan in plans {
            let pointsAtDeleted = plan.relationships.contains { deleted.contains($0.destination.entity.name) }
            if pointsAtDeleted || (deleted.contains(plan.name) && plan !== root) { try forget(plan.name, database) }
        }
    }
}
