import LockstepEvolution

/// Descriptions of what the SQL of a server changes in a database with existing tables.
struct ServerChanges {
    let lines: [String]

    /// - Parameter sql: The SQL of the server.
    init(to tables: [AdoptedTable], by sql: String, in catalogue: PostgreSQLCatalogue) {
        let statements = sql.split(separator: "\n").map { String($0) }
        let isThere = catalogue.tables.contains { $0.isOfServer }
        var lines = [
            isThere
                ? "Replaces the server that is there, and keeps what it has recorded."
                : "Creates tables and functions whose names begin with lockstep_, and records the rows that are there.",
            "Does not rename or change a column, and changes no row.",
            "Lets authenticated read and write these tables, and anon read them, as far as policies permit.",
        ]
        if statements.contains(where: { $0.contains("CREATE ROLE") }) {
            lines.append("Creates the roles authenticated and anon, if the database does not have them.")
        }
        if statements.contains(where: { $0.contains("CREATE CAST") }) {
            lines += Self.enumerations(of: tables, in: catalogue).map { type in
                "Creates a cast from text to \(type), which assignments in the whole database use, if it has none."
            }
        }
        if statements.contains(where: { $0.contains(" ON storage.objects ") }) {
            lines.append("Adds policies to storage.objects, if the database has it.")
        }
        for wanted in tables {
            guard let table = catalogue.table(SQLDialect.postgresql.accepted(wanted.name)) else { continue }
            lines.append("\(table.name):")
            let place = " ON \"\(table.name.replacing("\"", with: "\"\""))\""
            lines += Self.lines(for: table, statements: statements.filter { $0.contains(place) })
            lines += Self.differences(of: wanted, from: table)
        }
        self.lines = lines
    }

    /// The enums of the database to which texts of devices are assigned.
    private static func enumerations(of tables: [AdoptedTable], in catalogue: PostgreSQLCatalogue) -> [String] {
        let types = tables.flatMap { wanted in
            wanted.columns.filter(\.isEnumeration).compactMap { column in
                let table = catalogue.table(SQLDialect.postgresql.accepted(wanted.name))
                return table?.column(SQLDialect.postgresql.accepted(column.name)).map(\.type)
            }
        }
        return Set(types).filter { type in catalogue.enumerations.contains { $0.type == type } }.sorted()
    }

    /// - Parameter statements: The first lines of the statements about the table.
    private static func lines(for table: CatalogueTable, statements: [String]) -> [String] {
        func creates(_ trigger: String) -> Bool {
            statements.contains { $0.hasPrefix("CREATE OR REPLACE TRIGGER \(trigger) ") }
        }
        let isNew = table.triggers.count == table.ownTriggers.count
        var lines = [
            isNew
                ? "  adds triggers that record changes, and policies of row-level security"
                : "  replaces its triggers and policies"
        ]
        if creates("lockstep_guard") { lines.append("  refuses links to records that the user does not read") }
        if creates("lockstep_truncate") { lines.append("  refuses TRUNCATE") }
        for statement in statements where statement.hasPrefix("CREATE INDEX") {
            let isThere = table.indexes.contains { statement.contains("\"\($0.name)\"") }
            guard !isThere, let columns = statement.firstIndex(of: "(") else { continue }
            lines.append("  adds an index on \(statement[columns...].dropLast())")
        }
        lines.append(
            table.hasRowSecurity
                ? "  row-level security is on already"
                : "  switches on row-level security: all but the owner need a policy from now on")
        lines += table.ownPolicies.map { policy in
            let effect = policy.isPermissive ? "permits in addition to the new ones" : "restricts the new ones, too"
            return "  keeps the policy '\(policy.name)' (\(policy.command)), which \(effect)"
        }
        return lines
    }

    /// What stays as it is in the table, although the schema says something else.
    private static func differences(of wanted: AdoptedTable, from table: CatalogueTable) -> [String] {
        let digits = wanted.columns.filter { $0.type == .numeric && !$0.isReadOnly }.compactMap { column in
            table.column(SQLDialect.postgresql.accepted(column.name)).flatMap { column in
                PostgreSQLType(column.type).digits.map { _ in "  rounds \(column.name) to \(column.type)" }
            }
        }
        let links = wanted.links.filter { columns in
            let names = Set(columns.map(SQLDialect.postgresql.accepted))
            return !table.constraints.contains { $0.kind == .foreignKey && Set($0.columns) == names }
        }
        return digits
            + links.map { columns in
                "  has no foreign key over \(columns.joined(separator: ", ")): what it refers to can be missing"
            }
    }
}
