/// Creates a schema from files or a folder, whose kind it recognizes by their names and contents.
///
/// - Throws: ``ImportFailure`` if they cannot be read, or are of different kinds.
package func importSchema(_ inputs: [ImportInput], _ options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
    guard let first = inputs.first else { throw ImportFailure("", "No file is named.") }
    let chosen = try importer(of: first)
    for input in inputs.dropFirst() {
        guard try importer(of: input).title == chosen.title else {
            throw ImportFailure(input.path, "It is of a different kind than '\(first.path)'. Import them separately.")
        }
        guard chosen.takesSeveral else { throw ImportFailure(input.path, "Only one of these is imported at a time.") }
    }
    return try chosen.schema(of: inputs, options)
}

private func importer(of input: ImportInput) throws(ImportFailure) -> any SchemaImporter {
    for importer in importers where importer.recognizes(input) { return importer }
    let titles = importers.map { $0.title }.joined(separator: ", ")
    throw ImportFailure(input.path, "It is not recognized. These can be imported: \(titles).")
}

/// The first that recognizes a file reads it.
private let importers: [any SchemaImporter] = [
    CoreDataImporter(), SQLiteImporter(), RailsImporter(), OpenAPIImporter(), SampleImporter(),
]
