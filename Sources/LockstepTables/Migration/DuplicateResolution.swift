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
        for duplicates in plan.duplicates {
            if let entity = plan.evolution.new.entity(duplicates.entity) { try resolve(entity, duplicates: duplicates) }
        }
    }

    private func resolve(_ entity: EntityStructure, duplicates: MigrationPlan.Duplicates) throws {
        let table = SQLName.quoted(entity.table)
        // A column may be called rowid.
        let order = duplicates.newestBy.map { "\($0) DESC, \"lockstep_row\"" } ?? "\"lockstep_row\""
        let values = duplicates.values.enumerated().map { "\($1) AS \"lockstep_\($0)\"" }.joined(separator: ", ")
        let names = duplicates.values.indices.map { "\"lockstep_\($0)\"" }
        let pairs = try database.valueRows(
            """
            SELECT "lost", "kept" FROM (SELECT "lockstep_row" AS "lost", \
            first_value("lockstep_row") OVER (PARTITION BY \(names.joined(separator: ", ")) ORDER BY \(order)) AS "kept" \
            FROM (SELECT *, _rowid_ AS "lockstep_row", \(values) FROM \(table)) \
            WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))) WHERE "lost" <> "kept" ORDER BY "lost"
            """)
        let keys = RecordSQL(entity, in: plan.evolution.new).columns.joined(separator: ", ")
        for pair in pairs {
            let found = try pair.map { row in
                try database.valueRows("SELECT \(keys) FROM \(table) WHERE _rowid_ = ?", with: [row]).first
            }
            guard let lost = found[0], let kept = found[1] else { continue }
            try keepPending(entity, row: pair[0])
            try moveLinks(to: entity, from: lost, to: kept)
            try database.change("DELETE FROM \(table) WHERE _rowid_ = ?", with: [pair[0]])
        }
    }

    /// The pending changes of a record that goes become leftovers.
    private func keepPending(_ entity: EntityStructure, row: DatabaseValue) throws {
        guard try database.hasTable(OutboxTables.outbox) else { return }
        let table = SQLName.quoted(entity.table)
        let record = RecordSQL(entity, in: plan.evolution.new)
        let key = "(SELECT \(record.sql(table)) FROM \(table) WHERE _rowid_ = ?2)"
        let members = entity.attributes.filter { attribute in
            plan.evolution.entities[entity.name]?.members[attribute.name]?.origin != nil
        }.map { attribute in
            let value = "lockstep_json(\(SQLName.quoted(attribute.column)), \(OutboxSQL.literal(attribute.type.text)))"
            return (attribute.name, value)
        }
        let arguments: [DatabaseValue] = [entity.name.databaseValue, row]
        try database.change(
            """
            INSERT INTO \(LeftoverTable.name) (entity, record, member, value, version, at) \
            SELECT ?1, \(record.sql(table)), NULL, \(LeftoverTable.object(members)), \(version), \
            \(now.timeIntervalSince1970) FROM \(table) WHERE _rowid_ = ?2 AND EXISTS \
            (SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = ?1 AND record = \(key))
            """, with: arguments)
        try database.change(
            "DELETE FROM \(OutboxTables.links) WHERE entity = ?1 AND source = \(key)", with: arguments)
        for statement in OutboxSQL.deleteRows("entity = ?1 AND record = \(key)") {
            try database.change(statement, with: arguments)
        }
        let base = "lockstep_base_\(entity.table)"
        guard try database.hasTable(base) else { return }
        let isRecord = record.columns.map { "\(SQLName.quoted(base)).\($0) = \(table).\($0)" }
        try database.change(
            """
            DELETE FROM \(SQLName.quoted(base)) WHERE EXISTS \
            (SELECT 1 FROM \(table) WHERE _rowid_ = ? AND \(isRecord.joined(separator: " AND ")))
            """, with: [row])
    }

    private func moveLinks(
        to entity: EntityStructure, from lost: [DatabaseValue], to kept: [DatabaseValue]
    ) throws {
        for other in plan.evolution.new.entities {
            for relationship in other.relationships where relationship.destination == entity.name {
                let columns = relationship.foreignKeyColumns
                let isKept = plan.evolution.entities[other.name]?.members[relationship.name]?.origin != nil
                guard isKept, columns.count == lost.count else { continue }
                for table in [other.table, "lockstep_base_\(other.table)"] where try database.hasTable(table) {
                    try database.change(
                        "UPDATE \(SQLName.quoted(table)) SET \(Self.set(columns)) WHERE \(SQLName.condition(columns))",
                        with: kept + lost)
                }
            }
        }
        let lookup = SchemaLookup(plan.evolution.new)
        for join in lookup.joinTables where try database.hasTable(join.name) {
            // A record is not linked to itself because it was linked to its duplicate.
            if join.isSymmetric, join.left.entity == entity.name, join.left.columns.count == lost.count {
                let isLink = SQLName.condition(join.left.columns + join.right.columns)
                for pair in [lost + kept, kept + lost] {
                    try database.change("DELETE FROM \(SQLName.quoted(join.name)) WHERE \(isLink)", with: pair)
                }
            }
            for end in [join.left, join.right] where end.entity == entity.name && end.columns.count == lost.count {
                let (table, isLost) = (SQLName.quoted(join.name), SQLName.condition(end.columns))
                try database.change(
                    "UPDATE OR IGNORE \(table) SET \(Self.set(end.columns)) WHERE \(isLost)", with: kept + lost)
                try database.change("DELETE FROM \(table) WHERE \(isLost)", with: lost)
            }
        }
    }

    private static func set(_ columns: [String]) -> String {
        columns.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: ", ")
    }
}
