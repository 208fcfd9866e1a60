/// A database of SQLite, and samples of its values.
struct SQLiteSource: DatabaseSource {
    let catalog: SQLiteCatalog
    /// By the names of tables and columns.
    let samples: [String: [String: SQLiteSample]]

    var tables: [DatabaseTable] { catalog.tables }
    var enumerations: [DatabaseEnumeration] { [] }
    var spelling: DatabaseSpelling { .ignoringCase }
    var isServer: Bool { false }

    func introduce(_ notes: ImportNotes) { notes.proposeNoServer() }

    func type(
        of column: DatabaseColumn, in table: DatabaseTable, limits: DatabaseChecks.Limits, notes: ImportNotes
    ) -> DatabaseValueType? {
        let sample = samples[table.name]?[column.name] ?? SQLiteSample()
        let reader = SQLiteColumnReader(
            column, in: table, sample: sample, limits: limits, notes: notes)
        var type = reader.result()
        type.hasMissingValues = sample.nullCount > 0
        return type
    }

    func report(on importing: DatabaseImport) {
        UndeclaredLinks(tables).report(on: importing)
        reportNumbered(importing)
        SQLiteLeftovers(catalog, notes: importing.notes).report(importing.entities)
    }

    /// SQLite gives a row its number; a store does not.
    private func reportNumbered(_ importing: DatabaseImport) {
        let numbered = importing.sketch.entities.filter { entity in
            guard let table = entity.source.flatMap({ importing.entities[$0]?.table }), table.key.count == 1,
                !table.isWithoutRowID
            else { return false }
            return table.key[0].declaredType.uppercased() == "INTEGER"
        }
        guard !numbered.isEmpty else { return }
        importing.notes.decided(
            nil,
            text: "SQLite has numbered the rows of \(numbered.map(\.name).joined(separator: ", ")); "
                + "in a store, a new record has the identity that you give it",
            help: "If the server numbers them, write `identity: { local: …, remote: … }`, as in 'The schema language'.")
    }
}
