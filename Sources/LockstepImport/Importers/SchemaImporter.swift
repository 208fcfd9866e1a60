/// A kind of source that schemas are created from.
protocol SchemaImporter: Sendable {
    /// The name of the format that it reads, for messages.
    var title: String { get }
    /// What those are that options such as `--rows` are for.
    var optionTitle: String { get }
    /// Whether one schema can be created from several files.
    var takesSeveral: Bool { get }
    /// What to do instead, if one schema cannot be created from several files.
    var helpForSeveral: String { get }
    /// Whether the source can have versions, which ``ImportOptions/hasVersions`` imports.
    var hasVersions: Bool { get }
    /// Whether the source has rows that ``ImportOptions/hasRows`` copies.
    var hasRows: Bool { get }
    /// Whether a file is of this kind.
    func recognizes(_ input: ImportInput) -> Bool
    /// Creates the schema, from one input unless it takes several.
    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema
}

extension SchemaImporter {
    var optionTitle: String { title }
    var hasVersions: Bool { false }
    var hasRows: Bool { false }
    var helpForSeveral: String { "Import each by itself." }
}
