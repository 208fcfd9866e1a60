package import GRDB

/// Whose the rows of the outbox are (Rules.md, P16).
///
/// A row names an entity, and is about a record of a table. It is claimed by the entity that has this name and this
/// table, and whose records travel, by themselves or inside of others. Where a later schema has none, the row waits:
/// nothing sends or drops it, no merge deletes its record, and a schema that has the entity again claims it again.
package struct OutboxClaims: Sendable {
    private let plans: [EntityPlan]
    private let claiming: Set<String>

    package init(_ plans: [EntityPlan]) {
        self.plans = plans
        claiming = Set(plans.lazy.filter(\.isTracked).map(\.name))
    }

    /// Whether rows under a name are an entity's.
    package func isClaimed(_ name: String) -> Bool { claiming.contains(name) }

    /// The names under which rows are that no entity claims.
    package func unclaimedNames(_ database: Database) throws -> [String] {
        guard try database.hasTable(OutboxTables.outbox) else { return [] }
        var names: [String] = []
        var last = ""
        // From name to name, by the index: the rows themselves may be many.
        let next = try database.cachedStatement(
            sql: "SELECT entity FROM \(OutboxTables.outbox) WHERE entity > ? ORDER BY entity LIMIT 1")
        // A damaged file may have them in another order, or not as text.
        while let name = try String.fetchOne(next, arguments: [last]), last.utf8.lexicographicallyPrecedes(name.utf8) {
            if !isClaimed(name) { names.append(name) }
            last = name
        }
        return names
    }

    /// The names under which rows are that no entity claims, by the table that they are about.
    package func unclaimedNamesByTable(_ database: Database) throws -> [String: [String]] {
        let names = try unclaimedNames(database)
        if names.isEmpty { return [:] }
        let tables = try Self.tables(database)
        return Dictionary(grouping: names.filter { tables[$0] != nil }) { tables[$0] ?? "" }
    }

    /// The entity that has the table now which rows are about that nobody claims; `nil` where there is none.
    package func holder(of name: String, _ database: Database) throws -> EntityPlan? {
        guard let table = try Self.tables(database)[name] else { return nil }
        return plans.first { $0.table == table }
    }

    /// What an app is told when it opens a store.
    func findings(_ database: Database) throws -> [StoreFinding] {
        try unclaimedCounts(database).map { StoreFinding(.unclaimedChanges, entity: $0.name, count: $0.count) }
    }

    /// How many rows are under each name that no entity claims.
    package func unclaimedCounts(_ database: Database) throws -> [(name: String, count: Int)] {
        try unclaimedNames(database).map { name in
            let sql = "SELECT COUNT(*) FROM \(OutboxTables.outbox) WHERE entity = ?"
            return (name, try Int.fetchOne(database, sql: sql, arguments: [name]) ?? 0)
        }
    }

    // MARK: The tables

    /// The table that each name is written down with.
    private static func tables(_ database: Database) throws -> [String: String] {
        guard try database.hasTable(OutboxTables.entities) else { return [:] }
        let rows = try Row.fetchAll(database, sql: "SELECT entity, table_name FROM \(OutboxTables.entities)")
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// The tables that the rows which are there were written about: as written down, or as the triggers say of a file
    /// of a version that did not write them down.
    static func formerTables(_ database: Database) throws -> [String: String] {
        var tables = try tables(database)
        let triggers = try Row.fetchAll(
            database,
            sql: """
                SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger' \
                AND name = '\(OutboxTriggers.prefix)' || tbl_name || '_delete'
                """)
        for trigger in triggers {
            guard let name = entity(ofDeletion: trigger[1]), tables[name] == nil else { continue }
            tables[name] = trigger[0]
        }
        return tables
    }

    /// The entity whose records' deletion a trigger writes down.
    private static func entity(ofDeletion trigger: String) -> String? {
        guard let change = trigger.firstRange(of: "SET change = \(OutboxChange.delete.rawValue), "),
            let start = trigger[change.upperBound...].firstRange(of: "WHERE entity = '"),
            let end = trigger[start.upperBound...].firstRange(of: "' AND record")
        else { return nil }
        return String(trigger[start.upperBound..<end.lowerBound]).replacing("''", with: "'")
    }

    /// Writes down the tables. Rows under a name that means another table now are kept under a name of their own, and
    /// get theirs back where it means theirs again.
    func write(after former: [String: String], _ database: Database) throws {
        var tables = former
        for plan in plans {
            if let table = tables[plan.name], table != plan.table {
                let name = Self.nameSetAside(plan.name, table)
                if try rename(plan.name, to: name, database) { tables[name] = table }
            }
            tables[plan.name] = plan.table
        }
        for plan in plans {
            let name = Self.nameSetAside(plan.name, plan.table)
            guard tables.removeValue(forKey: name) != nil else { continue }
            _ = try rename(name, to: plan.name, database)
        }
        try database.execute(sql: "DELETE FROM \(OutboxTables.entities)")
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
            try database.execute(
                sql: "INSERT INTO \(OutboxTables.entities) (entity, table_name) VALUES (?, ?)",
                arguments: [name, table])
        }
    }

    /// What earlier answers allow to ask, by address.

    /// It is no name that an entity can have.
    private static func nameSetAside(_ name: String, _ table: String) -> String { "\(name) (\(table))" }

    /// Lets all that is noted under a name be under another one.
    private func rename(_ name: String, to other: String, _ database: Database) throws -> Bool {
        // A response that nothing has changed would be about the records of the other table.
        try ValidatorTable.forget(name, database)
        var count = 0
        for (table, column) in try Self.nameColumns(database) {
            let (table, column) = (SQLName.quoted(table), SQLName.quoted(column))
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", arguments: [other, name])
            count += database.changesCount
        }
        count += try WaitingLinkTable.rename(name, to: other, database)
        return count > 0
    }

    /// The columns with names of entities, of all tables of the store's own. Several are made when they are first
    /// needed, some by the sync, and those of a later version are found as well.
    ///
    /// Not those with the values of records, whose columns are the schema's, nor the table that says which table is
    /// whose.
    private static func nameColumns(_ database: Database) throws -> [(table: String, column: String)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
                WHERE m.type = 'table' AND m.name LIKE 'lockstep!_%' ESCAPE '!' \
                AND m.name NOT LIKE 'lockstep!_base!_%' ESCAPE '!' AND m.name <> '\(OutboxTables.entities)' \
                AND c.name IN ('entity', 'owner_entity', 'root_entity') ORDER BY m.name, c.name
                """
        ).map { ($0[0], $0[1]) }
    }
}
