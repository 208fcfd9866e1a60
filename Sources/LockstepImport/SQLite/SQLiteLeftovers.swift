/// Reports what a database has beside tables, columns, keys and indexes.
struct SQLiteLeftovers {
    private let catalog: SQLiteCatalog
    private let notes: ImportNotes

    init(_ catalog: SQLiteCatalog, notes: ImportNotes) { (self.catalog, self.notes) = (catalog, notes) }

    func report(_ entities: [String: DatabaseEntity]) {
        for table in catalog.tables { report(table) }
        for (name, module) in catalog.virtualTables {
            let isText = module.lowercased().hasPrefix("fts")
            notes.left(
                nil, text: "\(name), a virtual table of \(module)",
                help: isText ? "Create it again in the store, with GRDB, and fill it from its table." : nil)
        }
        for view in catalog.views {
            notes.left(nil, text: "\(view), a view", help: "Write it in Swift, as a query.")
        }
        for trigger in catalog.triggers {
            notes.left(
                nil, text: "\(trigger.name), a trigger of \(trigger.table)", help: "Do it in Swift, where you save.")
        }
        for table in catalog.bookkeeping {
            notes.ignored("\(table), in which \(SQLiteCatalog.bookkeeping[table.lowercased()] ?? "a library records")")
        }
        if catalog.userVersion != 0 {
            notes.ignored("PRAGMA user_version = \(catalog.userVersion): a store records its own version")
        }
        let strict = catalog.tables.filter(\.isStrict).map(\.name)
        if !strict.isEmpty {
            notes.ignored("STRICT of \(strict.joined(separator: ", ")): a store checks the types of values itself")
        }
        let keyed = catalog.tables.filter(\.isWithoutRowID).map(\.name)
        if !keyed.isEmpty { notes.ignored("WITHOUT ROWID of \(keyed.joined(separator: ", "))") }
    }

    private func report(_ table: DatabaseTable) {
        for column in table.columns where column.isAutoincrement {
            notes.left(
                nil, text: "\(table.name).\(column.name): AUTOINCREMENT",
                help: "New records have the identity you give them."
            )
        }
        for column in table.columns where column.collation.uppercased() != "BINARY" && !column.isGenerated {
            notes.left(
                nil, text: "\(table.name).\(column.name): the collation \(column.collation)",
                help: "Compare with it in queries: `.collating(.nocase)`.")
        }
        let tokens = SQLTokens(table.sql).tokens
        for (index, token) in tokens.enumerated() where token.isWord("CONFLICT") {
            guard index > 0, tokens[index - 1].isWord("ON"), index + 1 < tokens.count else { continue }
            notes.left(
                nil, text: "\(table.name): ON CONFLICT \(tokens[index + 1].text.uppercased())",
                help: "A save that breaks a constraint fails.")
        }
        if tokens.contains(where: { $0.isWord("DEFERRABLE") }) {
            notes.ignored("DEFERRABLE of \(table.name): a save is checked when it ends")
        }
    }
}
