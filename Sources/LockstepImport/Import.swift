/// Creates a schema from files or a folder, whose kind it recognizes by their names and contents.
///
/// - Throws: ``ImportFailure`` if they cannot be read, or are of different kinds.
package func importSchema(_ inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
    guard let first = inputs.first else { throw ImportFailure("", reason: "No file is named.") }
    let chosen = try importer(of: first)
    for input in inputs.dropFirst() {
        let other = importers.first { $0.recognizes(input) }
        guard other == nil || other?.title == chosen.title else {
            throw ImportFailure(
                input.path, reason: "It is of a different kind than '\(first.path)'. Import them separately.")
        }
        guard chosen.takesSeveral else {
            throw ImportFailure(
                input.path, reason: "Only one of these is imported at a time. \(chosen.helpForSeveral)")
        }
        if other == nil { _ = try importer(of: input) }
    }
    if options.hasVersions, !chosen.hasVersions {
        throw refusal(of: "--versions", isPossible: \.hasVersions, input: first)
    }
    if options.hasRows, !chosen.hasRows { throw refusal(of: "--rows", isPossible: \.hasRows, input: first) }
    return try chosen.schema(of: inputs, options: options)
}

/// An option that the source has nothing for.
private func refusal(of option: String, isPossible: (any SchemaImporter) -> Bool, input: ImportInput) -> ImportFailure {
    let titles = importers.filter(isPossible).map(\.optionTitle)
    let list = [titles.dropLast().joined(separator: ", "), titles.last ?? ""].joined(separator: " and ")
    return ImportFailure(input.path, reason: "`\(option)` is only for \(list). Run the command again without it.")
}

private func importer(of input: ImportInput) throws(ImportFailure) -> any SchemaImporter {
    for importer in importers where importer.recognizes(input) { return importer }
    let postgreSQL =
        "import the result of the query of 'lockstep import --postgresql-query', or PostgREST's response to GET /"
    if isDump(input) {
        throw ImportFailure(
            input.path,
            reason: "It is a dump of PostgreSQL, whose SQL is not imported. Of the database, \(postgreSQL).")
    }
    if input.name.lowercased().hasSuffix(".sql") {
        throw ImportFailure(
            input.path,
            reason: "SQL is not imported, but an SQLite database is. If it is SQL for SQLite, create a database with "
                + "'sqlite3 new.db < \(input.name)', and import that. Of PostgreSQL, \(postgreSQL). Of a Rails app, "
                + "import schema.rb.")
    }
    let titles = importers.map { $0.title }.joined(separator: ", ")
    let found = input.entries.filter { entry in importers.contains { $0.recognizes(entry) } }.map(\.name)
    let isPart = ["yaml", "yml", "json"].contains { input.name.lowercased().hasSuffix(".\($0)") }
    throw ImportFailure(
        input.path,
        reason: !found.isEmpty
            ? "It is a folder. Name what is to be imported in it: \(found.prefix(5).joined(separator: ", "))."
            : "It is not recognized. These can be imported: \(titles)."
                + (isPart ? " If it is a part of an OpenAPI description, import the file that refers to it." : ""))
}

/// Whether it is what `pg_dump` or `pg_dumpall` writes, as text or in its own format.
private func isDump(_ input: ImportInput) -> Bool {
    let beginning = input.beginning()
    if beginning.starts(with: "PGDMP".utf8) { return true }
    let text = String(decoding: beginning, as: UTF8.self)
    return text.contains("-- PostgreSQL database dump") || text.contains("-- PostgreSQL database cluster dump")
}

/// The first that recognizes a file reads it.
private let importers: [any SchemaImporter] = [
    CoreDataImporter(), SwiftSourcesImporter(), SQLiteImporter(), PostgreSQLImporter(), RailsImporter(),
    OpenAPIImporter(),
    SampleImporter(),
]
