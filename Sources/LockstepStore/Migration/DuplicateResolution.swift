import Foundation
import GRDB
import LockstepEvolution

/// Makes an attribute unique: of several records with one value, one stays, and links to the others lead to it.
struct DuplicateResolution {
    let plan: MigrationPlan
    let version: Int
    let now: Date
    let database: Database

    func run() throws {
        for (name, entity) in plan.evolution.entities.sorted(by: { $0.key < $1.key }) {
            guard let new = plan.evolution.new.entity(name) else { continue }
            for (member, answer) in entity.duplicates.sorted(by: { $0.key < $1.key }) {
                guard let attribute = new.attribute(member), entity.members[member]?.origin != nil else { continue }
                try resolve(new, attribute.column, order: order(answer, new))
            }
        }
    }

    /// The order in which the record that stays is the first.
    private func order(_ answer: String, _ entity: EntityStructure) -> String {
        if let name = answer.firstMatch(of: /by: *([^)]+)\)/)?.1, let column = entity.attribute(String(name))?.column {
            return "\(SQLName.quoted(column)) DESC, rowid"
        }
        return "rowid"
    }

    private func resolve(_ entity: EntityStructure, _ column: String, order: String) throws {
        let table = SQLName.quoted(entity.table)
        let value = SQLName.quoted(column)
        let keys = RecordSQL(entity, in: plan.evolution.new).columns
        guard keys.count == 1, let key = keys.first else { return }
        let pairs = try Row.fetchAll(
            database,
            sql: """
                SELECT \(key), first FROM (SELECT \(key), \
                first_value(\(key)) OVER (PARTITION BY \(value) ORDER BY \(order)) AS first FROM \(table) \
                WHERE \(value) IS NOT NULL) WHERE \(key) <> first
                """)
        for pair in pairs {
            let (lost, kept): (DatabaseValue, DatabaseValue) = (pair[0], pair[1])
            try keepPending(entity, lost)
            try moveLinks(to: entity, from: lost, to: kept)
            try database.change("DELETE FROM \(table) WHERE \(key) = ?", [lost])
        }
    }

    /// The pending changes of a record that goes become leftovers.
    private func keepPending(_ entity: EntityStructure, _ lost: DatabaseValue) throws {
        guard try database.hasTable(OutboxTables.outbox) else { return }
        let table = SQLName.quoted(entity.table)
        let record = RecordSQL(entity, in: plan.evolution.new)
        let members = entity.attributes.filter { attribute in
            plan.evolution.entities[entity.name]?.members[attribute.name]?.origin != nil
        }.map { attribute in
            let value = "lockstep_json(\(SQLName.quoted(attribute.column)), \(OutboxSQL.literal(attribute.type.text)))"
            return "\(OutboxSQL.literal(attribute.name)), json(\(value))"
        }.prefix(60)
        let arguments: [DatabaseValue] = [entity.name.databaseValue, lost]
        try database.change(
            """
            INSERT INTO \(LeftoverTable.name) (entity, record, member, value, version, at) \
            SELECT ?1, ?2, NULL, json_object(\(members.joined(separator: ", "))), \(version), \
            \(now.timeIntervalSince1970) FROM \(table) WHERE \(record.columns[0]) = ?2 AND EXISTS \
            (SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = ?1 AND record = ?2)
            """, arguments)
        let ids = "SELECT id FROM \(OutboxTables.outbox) WHERE entity = ?1 AND record = ?2"
        for other in [OutboxTables.former, OutboxTables.unanswered] {
            try database.change("DELETE FROM \(other) WHERE change IN (\(ids))", arguments)
        }
        try database.change("DELETE FROM \(OutboxTables.links) WHERE entity = ?1 AND source = ?2", arguments)
        try database.change("DELETE FROM \(OutboxTables.outbox) WHERE entity = ?1 AND record = ?2", arguments)
        let base = "lockstep_base_\(entity.table)"
        guard try database.hasTable(base) else { return }
        try database.change("DELETE FROM \(SQLName.quoted(base)) WHERE \(record.columns[0]) = ?", [lost])
    }

    private func moveLinks(
        to entity: EntityStructure, from lost: DatabaseValue, to kept: DatabaseValue
    ) throws {
        for other in plan.evolution.new.entities {
            for relationship in other.relationships where relationship.destination == entity.name {
                let isKept = plan.evolution.entities[other.name]?.members[relationship.name]?.origin != nil
                guard isKept, let column = relationship.foreignKeyColumns.first else { continue }
                let name = SQLName.quoted(column)
                for table in [other.table, "lockstep_base_\(other.table)"] where try database.hasTable(table) {
                    try database.change(
                        "UPDATE \(SQLName.quoted(table)) SET \(name) = ?2 WHERE \(name) = ?1", [lost, kept])
                }
            }
        }
        for join in SchemaLookup(plan.evolution.new).joinTables where try database.hasTable(join.name) {
            for end in [join.left, join.right] where end.entity == entity.name && end.columns.count == 1 {
                let (table, name) = (SQLName.quoted(join.name), SQLName.quoted(end.columns[0]))
                try database.change("UPDATE OR IGNORE \(table) SET \(name) = ?2 WHERE \(name) = ?1", [lost, kept])
                try database.change("DELETE FROM \(table) WHERE \(name) = ?", [lost])
            }
        }
    }
}
