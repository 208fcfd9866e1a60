import LockstepSchema

/// Databases of SQLite, as GRDB, SQLite.swift, FMDB and others write them.
struct SQLiteImporter: SchemaImporter {
    let title = "SQLite databases (.sqlite, .db)"
    let takesSeveral = false
    let hasRows = true

    /// An encrypted or empty database has no header to recognize it by, and a name that says what it is.
    func recognizes(_ input: ImportInput) -> Bool {
        if input.isFolder { return false }
        if input.beginning(SQLiteFile.header.count) == SQLiteFile.header { return true }
        return ["sqlite", "sqlite3", "db"].contains { input.name.lowercased().hasSuffix(".\($0)") }
    }

    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        let input = inputs[0]
        if options.hasRows, input.isStream {
            throw ImportFailure(
                input.path,
                reason: "The script that copies the rows attaches a file, and this is none. "
                    + "Save it as a file, and import that, or import without '--rows'.")
        }
        let connection = try SQLiteFile(input).open()
        if options.hasRows { try checkEncoding(connection) }
        let catalog = try SQLiteCatalog(connection)
        let name = UsableName.type(options.name ?? input.baseName ?? "Schema")
        let source = SQLiteSource(catalog: catalog, samples: try SQLiteSample.samples(of: catalog, on: connection))
        let importing = DatabaseImport(source, name: name, notes: ImportNotes(file: input.name))
        let result = try importing.run(path: input.path)
        var imported = ImportedSchema(result.repaired, report: result.report, from: input.name)
        if options.hasRows {
            let script = SQLiteRows(result, source: input.name).text
            imported.companions = [ImportedSchema.Companion(name: "\(imported.name).rows.sql", text: script)]
        }
        return imported
    }

    /// SQLite attaches only databases of one encoding, and a store is in UTF-8.
    private func checkEncoding(_ connection: SQLiteConnection) throws(ImportFailure) {
        guard let encoding = try connection.rows("PRAGMA encoding").first?[0].text, encoding != "UTF-8" else { return }
        throw ImportFailure(
            connection.path,
            reason: "It is in \(encoding), and a store in UTF-8 cannot attach it. "
                + "Run 'sqlite3 FILE .dump | sqlite3 COPY', and import COPY, or import without '--rows'.")
    }
}
