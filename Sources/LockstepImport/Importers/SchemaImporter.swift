/// A kind of source that schemas are made of.
protocol SchemaImporter: Sendable {
    /// What it reads, for messages.
    var title: String { get }
    /// Whether one schema can be made of several files.
    var takesSeveral: Bool { get }
    /// Whether a file is of this kind.
    func recognizes(_ input: ImportInput) -> Bool
    /// Makes the schema; of one input, unless it takes several.
    func schema(of inputs: [ImportInput], _ options: ImportOptions) throws(ImportFailure) -> ImportedSchema
}
