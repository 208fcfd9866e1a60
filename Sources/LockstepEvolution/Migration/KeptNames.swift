/// The new names of the tables and columns that are kept.
struct KeptNames {
    /// By former name.
    var tables: [String: String] = [:]
    /// By the former names of table and column.
    var columns: [String: [String: String]] = [:]

    func column(_ name: String, of table: String) -> String? { columns[table]?[name] }

    /// A constraint of a former table with the new names.
    func renamed(_ constraint: ForeignKeyConstraint, of table: String) -> ForeignKeyConstraint {
        ForeignKeyConstraint(
            columns: constraint.columns.map { column($0, of: table) ?? $0 },
            table: tables[constraint.table] ?? constraint.table,
            referencedColumns: constraint.referencedColumns.map { column($0, of: constraint.table) ?? $0 },
            onDelete: constraint.onDelete)
    }
}

/// The order in which a table's columns get their new names.
///
/// SQLite refuses a name that another column still has, in any case. So a dropped column gets another name first, and
/// names that change places get theirs in two steps.
struct ColumnRenames {
    /// The names of dropped columns meanwhile, by their former names.
    private(set) var dropped: [String: String] = [:]
    private var steps: [(old: String, new: String)] = []

    init(_ renames: [(old: String, new: String)], dropped: [String], columns: [String]) {
        let renames = renames.sorted { $0.old < $1.old }
        let targets = Set(renames.map { $0.new.lowercased() })
        for (index, column) in dropped.enumerated() {
            let isInTheWay = targets.contains(column.lowercased())
            self.dropped[column] = isInTheWay ? "lockstep_dropped_\(index)" : column
            if isInTheWay { steps.append((column, "lockstep_dropped_\(index)")) }
        }
        let changed = renames.filter { $0.old != $0.new }
        let taken = Set(columns.map { $0.lowercased() }).subtracting(dropped.map { $0.lowercased() })
        let isFree = changed.allSatisfy { !taken.contains($0.new.lowercased()) }
        if isFree {
            steps += changed
        } else {
            steps += changed.enumerated().map { ($1.old, "lockstep_old_\($0)") }
            steps += changed.enumerated().map { ("lockstep_old_\($0)", $1.new) }
        }
    }

    func statements(in table: String) -> [String] {
        steps.map { step in
            """
            ALTER TABLE \(SQLWriter.quoted(table)) RENAME COLUMN \(SQLWriter.quoted(step.old)) \
            TO \(SQLWriter.quoted(step.new))
            """
        }
    }
}
