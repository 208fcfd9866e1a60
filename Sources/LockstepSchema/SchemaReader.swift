/// The result of reading the schema files of a run.
package struct SchemaReading: Sendable {
    /// The schemas of the files without errors, in the order of the files.
    package var schemas: [Schema]
    /// All diagnostics of all files, sorted by file, position and code.
    package var diagnostics: [Diagnostic]

    /// Whether a file has an error. Its schema is then not in `schemas`.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads schema files: parses, checks and resolves each, and reports all problems of all files.
///
///     let reading = readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: bytes)])
///     guard !reading.hasErrors else { print(DiagnosticRenderer(sources: sources).text(reading.diagnostics)) }
package func readSchemas(_ sources: [SchemaSource]) -> SchemaReading {
    var diagnostics: [Diagnostic] = []
    let schemas = readEach(sources, diagnostics: &diagnostics).compactMap { $0?.schema }
    return SchemaReading(schemas: schemas, diagnostics: Diagnostic.sortedWithoutRepeats(diagnostics))
}

/// Reads a schema that is not written yet, from the tree that its file would be. The locations of the diagnostics are
/// the ranges of the nodes.
package func readSchema(_ root: Node, path: String) -> SchemaReading {
    var (root, diagnostics) = (root, [Diagnostic]())
    root.removeRepeatedKeys(&diagnostics)
    let declaration = Grammar.read(root, path: path, diagnostics: &diagnostics)
    let schema = declaration.flatMap { resolve($0, into: &diagnostics) }
    return SchemaReading(
        schemas: schema.map { [$0] } ?? [], diagnostics: Diagnostic.sortedWithoutRepeats(diagnostics))
}

/// Reads each file, as a schema with its declaration; `nil` for one with an error.
func readEach(
    _ sources: [SchemaSource], diagnostics: inout [Diagnostic]
) -> [(declaration: SchemaDeclaration, schema: Schema)?] {
    var declaredNames: [String: SourceRange] = [:]
    return sources.map { source in
        var findings: [Diagnostic] = []
        defer { diagnostics += findings }
        guard let declaration = readDeclaration(source, diagnostics: &findings) else { return nil }
        if let first = declaredNames[declaration.name.value] {
            findings.append(.duplicateSchema(declaration.name, first: first).located(in: source.path))
        } else {
            declaredNames[declaration.name.value] = SourceRange(path: source.path, range: declaration.name.range)
        }
        guard let schema = resolve(declaration, into: &findings), !findings.contains(where: { $0.severity == .error })
        else { return nil }
        return (declaration, schema)
    }
}

/// Reads one file without resolving its references. Returns `nil` if so much is missing or unreadable that resolving it
/// would only report the same problems again.
func readDeclaration(_ source: SchemaSource, diagnostics: inout [Diagnostic]) -> SchemaDeclaration? {
    guard let root = parseYAML(source, diagnostics: &diagnostics),
        var declaration = Grammar.read(root, path: source.path, diagnostics: &diagnostics)
    else { return nil }
    return declaration.include(source.included, diagnostics: &diagnostics) ? declaration : nil
}
