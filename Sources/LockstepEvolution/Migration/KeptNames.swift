/// The new names of the tables and columns that are kept.
package struct KeptNames {
    /// By former name.
    package var tables: [String: String] = [:]
    /// By the former names of table and column.
    package var columns: [String: [String: String]] = [:]

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

    /// - Parameter added: Added columns that exist before the dropped ones are gone.
    init(_ renames: [(old: String, new: String)], dropped: [String], columns: [String], added: [String] = []) {
        let renames = renames.sorted { $0.old < $1.old }
        let targets = Set((renames.map(\.new) + added).map { $0.lowercased() })
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

    /// The renames of a table's columns.
    ///
    /// - Parameters:
    ///   - sources: The source of each new column.
    ///   - columns: The former columns.
    init(_ sources: [String: ValueSource], columns: [String]) {
        let renames = sources.compactMap { name, source in source.origin.map { (old: $0, new: name) } }
        let kept = Set(renames.map(\.old))
        // An app's conversion of base values reads columns that are dropped when all others exist.
        let needsRow = sources.values.contains(where: \.needsRow)
        self.init(
            renames, dropped: columns.filter { !kept.contains($0) }, columns: columns,
            added: needsRow ? sources.filter { $0.value.origin == nil }.keys.sorted() : [])
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

/// The order in which tables get their new names.
///
/// A dropped table in the way gets another name first: its rows are read until it is dropped. Tables that change places
/// get their names in two steps. A table with bases goes with its table.
struct TableRenames {
    /// The names of dropped tables meanwhile, by their former names.
    private(set) var dropped: [String: String] = [:]
    private var steps: [(old: String, new: String)] = []

    init(_ names: [(old: String, new: String)], dropped: [String]) {
        let renames = names.filter { $0.old != $0.new }.sorted { $0.old < $1.old }
        let targets = Set(renames.map { $0.new.lowercased() })
        for (index, table) in dropped.enumerated() where targets.contains(table.lowercased()) {
            self.dropped[table] = "lockstep_dropped_\(index)"
            steps.append((table, "lockstep_dropped_\(index)"))
        }
        let kept = Set(names.map { $0.old.lowercased() })
        let isTaken = renames.contains { kept.contains($0.new.lowercased()) }
        if isTaken {
            steps += renames.enumerated().map { ($1.old, "lockstep_table_\($0)") }
            steps += renames.enumerated().map { ("lockstep_table_\($0)", $1.new) }
        } else {
            steps += renames
        }
    }

    /// - Parameter baseTables: The tables with bases in the file.
    func statements(_ baseTables: Set<String>) -> [String] {
        var bases = baseTables
        return steps.flatMap { step in
            var statements = [statement(from: step.old, to: step.new)]
            if bases.remove("lockstep_base_\(step.old)") != nil {
                bases.insert("lockstep_base_\(step.new)")
                statements.append(statement(from: "lockstep_base_\(step.old)", to: "lockstep_base_\(step.new)"))
            }
            return statements
        }
    }

    private func statement(from old: String, to new: String) -> String {
        "ALTER TABLE \(SQLWriter.quoted(old)) RENAME TO \(SQLWriter.quoted(new))"
    }
}

/// The names of tables and indexes, which SQLite has in one namespace.
///
/// An index that is kept keeps its name, although a new store would call it otherwise: an index cannot be renamed. So a
/// new one may need another name than in a new store.
struct RelationNames {
    /// The indexes with the name that a table gets. They are dropped before that, and made again.
    let obstacles: [String]
    private var taken: Set<String>

    init(_ file: FileTables, tables: TableDefinitions) {
        let names = Set(tables.tables.keys.map { $0.lowercased() })
        taken = names
        obstacles = file.indexes.values.flatMap(\.self).map(\.name).filter { names.contains($0.lowercased()) }.sorted()
    }

    mutating func keep(_ indexes: [FileTables.FileIndex], except dropped: [String]) {
        taken.formUnion(indexes.map(\.name).filter { !dropped.contains($0) }.map { $0.lowercased() })
    }

    /// The index with its name, or the name with a number if it is taken.
    mutating func named(_ index: CreateIndex) -> CreateIndex {
        var index = index
        let name = index.name
        var number = 2
        while !taken.insert(index.name.lowercased()).inserted {
            index.name = "\(name)_\(number)"
            number += 1
        }
        return index
    }
}

extension FileTables {
    /// The same without some indexes.
    func without(_ names: [String]) -> FileTables {
        var tables = self
        tables.indexes = indexes.mapValues { $0.filter { !names.contains($0.name) } }
        return tables
    }
}
