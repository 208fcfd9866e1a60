package import Foundation
import GRDB

/// The validators from earlier responses, for each address with its query. They are stored in the transaction of the
/// merge that they belong to (Rules.md, H1).
package enum ValidatorTable {
    static let name = "lockstep_validator"
    private static let table = name
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS \(table) (address TEXT PRIMARY KEY NOT NULL, entity TEXT NOT NULL, \
        entity_tag TEXT, started_at REAL, next TEXT)
        """
    ]

    /// The validators of an address.
    package struct Row: Sendable {
        package var entityTag: String?
        package var startedAt: Date?
        package var next: String?

        package init(entityTag: String?, startedAt: Date?, next: String?) {
            self.entityTag = entityTag
            self.startedAt = startedAt
            self.next = next
        }
    }

    package static func find(_ address: String, _ database: Database) throws -> Row? {
        guard try database.hasTable(table) else { return nil }
        let sql = "SELECT entity_tag, started_at, next FROM \(table) WHERE address = ?"
        return try GRDB.Row.fetchOne(database, sql: sql, arguments: [address]).map { row in
            Row(
                entityTag: row[0], startedAt: (row[1] as Double?).map(Date.init(timeIntervalSince1970:)), next: row[2])
        }
    }

    package static func keep(_ validators: Row?, _ address: String, _ entity: String, _ database: Database) throws {
        guard let validators, validators.entityTag != nil || validators.startedAt != nil else {
            return try database.execute(sql: "DELETE FROM \(table) WHERE address = ?", arguments: [address])
        }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO \(table) (address, entity, entity_tag, started_at, next) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                address, entity, validators.entityTag, validators.startedAt?.timeIntervalSince1970, validators.next,
            ])
    }

    /// The entities with validators.
    package static func entities(_ database: Database) throws -> Set<String> {
        guard try database.hasTable(table) else { return [] }
        return try String.fetchSet(database, sql: "SELECT entity FROM \(table)")
    }

    /// Deletes the validators of an entity, or of all: the next pull fetches everything.
    package static func forget(_ entity: String?, _ database: Database) throws {
        guard try database.hasTable(table) else { return }
        guard let entity else { return try database.execute(sql: "DELETE FROM \(table)") }
        try database.execute(sql: "DELETE FROM \(table) WHERE entity = ?", arguments: [entity])
    }

    /// Deletes the validators of entities whose records a merge has deleted by a cascade, or that pointed at deleted
    /// ones: a server that still has them unchanged would respond “not modified”, and they would never be restored.
    package static func forget(
        deleting deleted: Set<String>, of root: EntityPlan, _ plans: [EntityPlan], _ database: Database
    ) throws {
        if deleted.isEmpty { return }
        for plan in plans {
            let pointsAtDeleted = plan.relationships.contains { deleted.contains($0.destination.entity.name) }
            if pointsAtDeleted || (deleted.contains(plan.name) && plan !== root) { try forget(plan.name, database) }
        }
    }
}
