/// The result of reading the schema files of a run.
public struct SchemaReading: Sendable {
    /// The schemas of the files without errors, in the order of the files.
    public var schemas: [Schema]
    /// All diagnostics of all files, sorted by file, position and code.
    public var diagnostics: [Diagnostic]

    /// Whether a file has an error. Its schema is then not in `schemas`.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads schema files: parses, checks and resolves each, and reports all problems of all files.
///
///     let reading = readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: bytes)])
///     guard !reading.hasErrors else { print(DiagnosticRenderer(sources: sources).text(reading.diagnostics)) }
public func readSchemas(_ sources: [SchemaSource]) -> SchemaReading {
    var diagnostics: [Diagnostic] = []
    var schemas: [Schema] = []
    var declaredNames: [String: Located<String>] = [:]
    for source in sources {
        var findings: [Diagnostic] = []
        let declaration = readDeclaration(source, diagnostics: &findings)
        if let name = declaration?.name {
            if let first = declaredNames[name.value] {
                findings.append(.duplicateSchema(name, first: first.range))
            } else {
                declaredNames[name.value] = name
            }
        }
        let schema = declaration.flatMap { resolve($0, into: &findings) }
        if let schema, !findings.contains(where: { $0.severity == .error }) {
            schemas.append(schema)
        }
        diagnostics += findings
    }
    return SchemaReading(schemas: schemas, diagnostics: Diagnostic.sortedWithoutRepeats(diagnostics))
}

/// Reads one file without resolving its references. Returns `nil` if so much is missing or unreadable that resolving it
/// would only report the same problems again.
func readDeclaration(_ source: SchemaSource, diagnostics: inout [Diagnostic]) -> SchemaDeclaration? {
    guard let root = parseYAML(source, diagnostics: &diagnostics) else { return nil }
    return Grammar.read(root, diagnostics: &diagnostics)
}
