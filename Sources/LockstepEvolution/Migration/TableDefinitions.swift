/// The tables and indexes of a structure by name.
struct TableDefinitions {
    private(set) var tables: [String: CreateTable] = [:]
    /// By table, in the order of creation.
    private(set) var indexes: [String: [CreateIndex]] = [:]
    /// The triggers of delete rules, by name.
    private(set) var triggers: [String] = []

    init(_ structure: SchemaStructure) {
        var builder = SchemaStatements(structure, dialect: .sqlite)
        for statement in builder.statements() {
            switch statement {
            case .createTable(let table): tables[table.name] = table
            case .createIndex(let index): indexes[index.table, default: []].append(index)
            case .createTrigger(let trigger): triggers.append(trigger.name)
            case .addForeignKey, .createFunction: break
            }
        }
    }
}

extension CreateTable {
    package func column(_ name: String) -> ColumnDefinition? { columns.first { $0.name == name } }
}

extension ColumnDefinition {
    /// Whether rows need not be written for this definition instead of another one. Defaults do not matter: every
    /// statement names all columns. Neither does uniqueness, which an index can provide.
    func isStoredLike(_ other: ColumnDefinition) -> Bool {
        let checks = other.checks.map { $0.renamed(to: name) }
        return "\(SQLDialect.sqlite.name(of: type))" == "\(SQLDialect.sqlite.name(of: other.type))"
            && key == other.key && isRequired == other.isRequired && self.checks == checks
    }
}

/// The parts of a file that are not in its structure: how columns are unique, and the names of indexes.
package struct FileTables: Sendable {
    package var indexes: [String: [FileIndex]]
    /// The tables with bases of pending changes.
    package var baseTables: Set<String>

    package struct FileIndex: Hashable, Sendable {
        package var name: String
        package var columns: [String]
        package var isUnique: Bool
        /// Whether it is part of the table's definition, so that it cannot be dropped.
        package var isConstraint: Bool

        package init(name: String, columns: [String], isUnique: Bool, isConstraint: Bool) {
            self.name = name
            self.columns = columns
            self.isUnique = isUnique
            self.isConstraint = isConstraint
        }
    }

    package init(indexes: [String: [FileIndex]], baseTables: Set<String>) {
        self.indexes = indexes
        self.baseTables = baseTables
    }

    /// The tables as a new store of the structure has them.
    package init(new structure: SchemaStructure) {
        let definitions = TableDefinitions(structure)
        baseTables = Set(definitions.tables.keys.map { "lockstep_base_\($0)" })
        indexes = [:]
        for (name, table) in definitions.tables {
            indexes[name] =
                table.columns.filter(\.isUnique).map {
                    FileIndex(name: "", columns: [$0.name], isUnique: true, isConstraint: true)
                }
                + (definitions.indexes[name] ?? []).map {
                    FileIndex(name: $0.name, columns: $0.columns, isUnique: $0.isUnique, isConstraint: false)
                }
        }
    }
}
