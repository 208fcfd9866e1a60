package import GRDB

/// Which entity the rows of the outbox belong to (Rules.md, P16).
///
/// A row names an entity, and is about a record of a table. It is claimed by the entity with this name and this table,
/// if the entity's records are sent, separately or inside others. If a later schema has no such entity, the row stays:
/// it is neither sent nor dropped, and no merge deletes its record. A schema that has the entity again claims it again.
package struct OutboxClaims: Sendable {
    private let plans: SchemaPlan
    private let claiming: Set<String>

    package init(_ plans: SchemaPlan) {
        self.plans = plans
        claiming = Set(plans.lazy.filter(\.isTracked).map(\.name))
    }

    /// Whether rows with this name belong to an entity.
    package func isClaimed(_ name: String) -> Bool { claiming.contains(name) }

    /// The names of rows that no entity claims.
    package func unclaimedNames(_ database: Database) throws -> [String] {
        guard try database.hasTable(OutboxTables.outbox) else { return [] }
        var names: [String] = []
        var last = ""
        // Steps from name to name by the index, because there may be many rows.
        let next = try database.cachedStatement(
            sql: "SELECT entity FROM \(OutboxTables.outbox) WHERE entity > ? ORDER BY entity LIMIT 1")
        // In a damaged file, they may be in another order, or not be text.
        while let name = try String.fetchOne(next, arguments: [last]), last.utf8.lexicographicallyPrecedes(name.utf8) {
            if !isClaimed(name) { names.append(name) }
            last = name
        }
        return names
    }

    /// The names of rows that no entity claims, by the table that they are about.
    package func unclaimedNamesByTable(_ database: Database) throws -> [String: [String]] {
        let names = try unclaimedNames(database)
        if names.isEmpty { return [:] }
        let tables = try Self.tables(database)
        return Dictionary(grouping: names.filter { tables[$0] != nil }) { tables[$0] ?? "" }
    }

    /// The entity that now has the table of unclaimed rows; `nil` if there is none.
    package func holder(of name: String, in database: Database) throws -> EntityPlan? {
        guard let table = try Self.tables(database)[name] else { return nil }
        return plans.first { $0.table == table }
    }

    /// The findings that are reported to the app when it opens a store.
    package func findings(_ database: Database) throws -> [StoreFinding] {
        try unclaimedCounts(database).map { StoreFinding(.unclaimedChanges, entity: $0.name, count: $0.count) }
    }

    /// The number of rows for each name that no entity claims.
    package func unclaimedCounts(_ database: Database) throws -> [(name: String, count: Int)] {
        try unclaimedNames(database).map { name in
            let sql = "SELECT COUNT(*) FROM \(OutboxTables.outbox) WHERE entity = ?"
            return (name, try Int.fetchOne(database, sql: sql, arguments: [name]) ?? 0)
        }
    }

    // MARK: The tables

    /// The recorded table of each name.
    private static func tables(_ database: Database) throws -> [String: String] {
        guard try database.hasTable(OutboxTables.entities) else { return [:] }
        let rows = try database.valueRows("SELECT entity, table_name FROM \(OutboxTables.entities)")
        let names = rows.compactMap { row in row.text(0).flatMap { name in row.text(1).map { (name, $0) } } }
        return Dictionary(names, uniquingKeysWith: { first, _ in first })
    }

    /// The tables of the existing rows: as recorded, or derived from the triggers if the file's version did not record
    /// them.
    package static func formerTables(_ database: Database) throws -> [String: String] {
        var tables = try tables(database)
        let triggers = try database.valueRows(
            """
            SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger' \
            AND name = '\(OutboxTriggers.prefix)' || tbl_name || '_delete'
            """)
        for trigger in triggers {
            guard let name = trigger.text(1).flatMap(entity(ofDeletion:)), tables[name] == nil else { continue }
            tables[name] = trigger.text(0)
        }
        return tables
    }

    /// The entity whose deletes a trigger records.
    private static func entity(ofDeletion trigger: String) -> String? {
        guard let change = trigger.firstRange(of: "SET change = \(OutboxChange.delete.rawValue), "),
            let start = trigger[change.upperBound...].firstRange(of: "WHERE entity = '"),
            let end = trigger[start.upperBound...].firstRange(of: "' AND record")
        else { return nil }
        return String(trigger[start.upperBound..<end.lowerBound]).replacing("''", with: "'")
    }

    /// Records the tables. Rows of a name that now stands for another table are renamed, and get their name back when
    /// it stands for their table again.
    func write(after former: [String: String], in database: Database) throws {
        var tables = former
        for plan in plans {
            if let table = tables[plan.name], table != plan.table {
                let name = Self.nameSetAside(plan.name, in: table)
                if try Self.rename(plan.name, to: name, in: database) { tables[name] = table }
            }
            tables[plan.name] = plan.table
        }
        for plan in plans {
            let name = Self.nameSetAside(plan.name, in: plan.table)
            guard tables.removeValue(forKey: name) != nil else { continue }
            _ = try Self.rename(name, to: plan.name, in: database)
        }
        try database.execute(sql: "DELETE FROM \(OutboxTables.entities)")
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
            try database.execute(
                sql: "INSERT INTO \(OutboxTables.entities) (entity, table_name) VALUES (?, ?)",
                arguments: [name, table])
        }
    }

    // MARK: Migrations

    /// Gives everything that is stored by the names of entities their new names. The tables have theirs already.
    ///
    /// - Parameter renames: The former and new names of entities and of their tables, of every entity that is kept.
    static func migrate(_ renames: [(old: String, new: String, table: String)], in database: Database) throws {
        let changed = renames.filter { $0.old != $0.new }
        // Names may change places, so they are set aside first.
        for (index, step) in changed.enumerated() {
            _ = try renameRows(step.old, to: "lockstep \(index)", in: database)
        }
        for (index, step) in changed.enumerated() {
            _ = try renameRows("lockstep \(index)", to: step.new, in: database)
        }
        guard try database.hasTable(OutboxTables.entities) else { return }
        for step in renames {
            try database.execute(
                sql: "DELETE FROM \(OutboxTables.entities) WHERE entity = ?", arguments: [step.old])
        }
        for step in renames {
            try database.execute(
                sql: "INSERT OR REPLACE INTO \(OutboxTables.entities) (entity, table_name) VALUES (?, ?)",
                arguments: [step.new, step.table])
        }
    }

    /// Gives everything that is stored for a removed entity a name that is not valid, because another entity may get
    /// its name.
    static func setAside(_ entity: String, as name: String, in database: Database) throws {
        _ = try renameRows(entity, to: name, in: database)
        guard try database.hasTable(OutboxTables.entities) else { return }
        try database.execute(sql: "DELETE FROM \(OutboxTables.entities) WHERE entity = ?", arguments: [entity])
    }

    /// Deletes everything that is stored for a removed entity.
    static func forget(_ entity: String, in database: Database) throws {
        try ValidatorTable.forget(entity, in: database)
        for table in [OutboxTables.former, OutboxTables.unconfirmed] where try database.hasTable(table) {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE change IN (SELECT id FROM \(OutboxTables.outbox) WHERE entity = ?)",
                arguments: [entity])
        }
        for (table, column) in try nameColumns(database) {
            let (table, column) = (SQLName.quoted(table), SQLName.quoted(column))
            try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [entity])
        }
        try WaitingLinkTable.forget(entity, in: database)
        if try database.hasTable(OutboxTables.entities) {
            try database.execute(sql: "DELETE FROM \(OutboxTables.entities) WHERE entity = ?", arguments: [entity])
        }
    }

    // MARK: Renaming

    /// It is not a valid name of an entity.
    private static func nameSetAside(_ name: String, in table: String) -> String { "\(name) (\(table))" }

    /// Renames everything that is stored for a name.
    private static func rename(_ name: String, to other: String, in database: Database) throws -> Bool {
        // A “not modified” response would be about the records of the other table.
        try ValidatorTable.forget(name, in: database)
        return try renameRows(name, to: other, in: database)
    }

    private static func renameRows(_ name: String, to other: String, in database: Database) throws -> Bool {
        var count = 0
        for (table, column) in try nameColumns(database) {
            let (table, column) = (SQLName.quoted(table), SQLName.quoted(column))
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", arguments: [other, name])
            count += database.changesCount
        }
        if try database.hasTable(WaitingLinkTable.name) {
            count += try WaitingLinkTable.rename(name, to: other, in: database)
        }
        return count > 0
    }

    /// The columns with names of entities in all system tables. Several of these are created when they are first
    /// needed, some by the sync, and those of a later version are found as well.
    ///
    /// Tables with the values of records are excluded, since their columns are the schema's, and so is the table that
    /// assigns tables to names.
    private static func nameColumns(_ database: Database) throws -> [(table: String, column: String)] {
        try database.valueRows(
            """
            SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' AND m.name LIKE 'lockstep!_%' ESCAPE '!' \
            AND m.name NOT LIKE 'lockstep!_base!_%' ESCAPE '!' AND m.name <> '\(OutboxTables.entities)' \
            AND m.name <> '\(LeftoverTable.name)' \
            AND c.name IN ('entity', 'owner_entity', 'root_entity') ORDER BY m.name, c.name
            """
        ).map { ($0.text(0) ?? "", $0.text(1) ?? "") }
    }
}
