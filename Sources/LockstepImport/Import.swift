import LockstepSchema

/// How a schema is made of files.
package struct ImportOptions: Sendable {
    /// The name of the schema; `nil` for that of the file.
    package var name: String?
    /// Whether a history of all versions is made, where the source has versions.
    package var hasVersions = false
    /// Whether what takes over the rows is made, where the source has rows or describes where they are.
    package var hasRows = false

    package init(name: String? = nil, hasVersions: Bool = false, hasRows: Bool = false) {
        (self.name, self.hasVersions, self.hasRows) = (name, hasVersions, hasRows)
    }
}

/// Makes a schema of files or a folder, which it recognises by their names and their contents.
///
/// - Throws: ``ImportFailure`` if they cannot be read, or are of different kinds.
package func importSchema(_ inputs: [ImportInput], _ options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
    guard let first = inputs.first else { throw ImportFailure("", "No file is named.") }
    let chosen = try importer(of: first)
    for input in inputs.dropFirst() {
        guard try importer(of: input).title == chosen.title else {
            throw ImportFailure(input.path, "It is of another kind than '\(first.path)'. Import each on its own.")
        }
        guard chosen.takesSeveral else { throw ImportFailure(input.path, "Only one of these is imported at a time.") }
    }
    return try chosen.schema(of: inputs, options)
}

private func importer(of input: ImportInput) throws(ImportFailure) -> any SchemaImporter {
    for importer in importers where importer.recognises(input) { return importer }
    let titles = importers.map { $0.title }.joined(separator: ", ")
    throw ImportFailure(input.path, "It is not recognised. These can be imported: \(titles).")
}

/// A kind of source that schemas are made of.
protocol SchemaImporter: Sendable {
    /// What it reads, for messages.
    var title: String { get }
    /// Whether one schema can be made of several files.
    var takesSeveral: Bool { get }
    /// Whether a file is of this kind.
    func recognises(_ input: ImportInput) -> Bool
    /// Makes the schema; of one input, unless it takes several.
    func schema(of inputs: [ImportInput], _ options: ImportOptions) throws(ImportFailure) -> ImportedSchema
}

/// The first that recognises a file reads it.
private let importers: [any SchemaImporter] = [CoreDataImporter(), OpenAPIImporter(), RailsImporter()]
