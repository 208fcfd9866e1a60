/// Rows of a table that belong to the deleted row.
struct RowMatch: Hashable, Sendable {
    var table: String
    /// Columns of `table` …
    var columns: [String]
    var partner: Partner

    enum Partner: Hashable, Sendable {
        /// … that equal these columns of the deleted row.
        case deletedRow([String])
        /// … that are in a row of a join table, which belongs to the deleted row in turn.
        case joinTable(String, farColumns: [String], nearColumns: [String], deletedRowColumns: [String])
    }
}

extension SQLWriter {
    /// Writes the table of the rows, as it follows `FROM` or `UPDATE`.
    mutating func source(of match: RowMatch) {
        identifier(match.table)
        alias("matched")
    }

    /// Writes the condition that only these rows satisfy.
    mutating func condition(of match: RowMatch) {
        switch match.partner {
        case .deletedRow(let oldColumns):
            equal(match.columns, alias: "matched", oldColumns: oldColumns, in: match.table)
        case .joinTable(let table, let farColumns, let nearColumns, let oldColumns):
            row(match.columns, alias: "matched")
            write("\n        IN (SELECT ")
            joined(farColumns) { $0.column($1, alias: "link") }
            write(" FROM ")
            identifier(table)
            alias("link")
            write(" WHERE ")
            equal(nearColumns, alias: "link", oldColumns: oldColumns, in: table)
            write(")")
        }
    }

    /// In PL/pgSQL, a bare column name can be a variable (`found`), so columns are qualified by their table there.
    /// SQLite has no such variables and allows no alias in a trigger.
    private mutating func alias(_ alias: StaticString) {
        guard dialect == .postgresql else { return }
        write(" AS ")
        write(alias)
    }

    private mutating func column(_ name: String, alias: StaticString) {
        if dialect == .postgresql {
            write(alias)
            write(".")
        }
        identifier(name)
    }

    private mutating func row(_ columns: [String], alias: StaticString) {
        if columns.count > 1 { write("(") }
        joined(columns) { $0.column($1, alias: alias) }
        if columns.count > 1 { write(")") }
    }

    private mutating func equal(_ columns: [String], alias: StaticString, oldColumns: [String], in table: String) {
        for (index, (column, oldColumn)) in zip(columns, oldColumns).enumerated() {
            if index > 0 {
                space()
                write("AND ")
            }
            self.column(column, alias: alias)
            write(" = ")
            self.oldColumn(oldColumn, in: table)
        }
    }

    /// In a statement on a table that is itself named `old`, SQLite interprets `OLD` as that table. A separate `SELECT`
    /// without a table only sees the trigger's.
    private mutating func oldColumn(_ name: String, in table: String) {
        let isShadowed = dialect == .sqlite && table.lowercased() == "old"
        if isShadowed { write("(SELECT ") }
        write("OLD.")
        identifier(name)
        if isShadowed { write(")") }
    }
}
