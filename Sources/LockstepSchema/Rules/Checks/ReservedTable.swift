/// Tables named `lockstep_*` belong to the store, and those named `sqlite_*` to SQLite, which does not allow others to
/// use them. The names of a table's indexes and join tables begin with its own and an underscore.
enum ReservedTable: Rule {
    private static let prefixes = ["lockstep_", "sqlite_"]

    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isAbstract {
            check(entity.tableName, at: entity.tableRange, into: &report)
        }
        for link in draft.links {
            if let table = link.declaration?.table { check(table.value, at: table.range, into: &report) }
        }
    }

    private static func check(_ table: String, at range: TextRange, into report: inout Report) {
        let name = table.lowercased() + "_"
        for prefix in prefixes where name.utf8.starts(with: prefix.utf8) {
            let subject = name == prefix ? "Each index of the table '\(table)'" : "The table '\(table)'"
            report.add(
                Diagnostic(
                    .reservedTable, at: range, message: "\(subject) begins with '\(prefix)', which is reserved",
                    remedy: "Give it another name with 'table:'."))
        }
    }

    static let entry = CatalogueEntry(
        code: .reservedTable,
        title: "Reserved table",
        explanation: """
            Table names that begin with `lockstep_` are reserved for the store (for example, for pending changes). \
            Table names that begin with `sqlite_` are reserved for SQLite. A table cannot be named `lockstep` or \
            `sqlite` either, because the names of its indexes begin with its own.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                table: lockstep_entry
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                table: entry
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// A table whose name belongs to the store or to SQLite.
    package static let reservedTable = DiagnosticCode(rawValue: "reserved-table")
}
