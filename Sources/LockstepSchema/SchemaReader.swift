/// One schema file as it was read from the disk.
public struct SchemaSource: Hashable, Sendable {
    /// The path as it was given, with `/` between its parts. Diagnostics and generated headers name it.
    public var path: String
    public var bytes: [UInt8]
    /// How many bytes of the file are not in `bytes`, since it has more than are read.
    var omittedByteCount = 0

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Whether the file has more than is read of any: it is told, and neither parsed nor shown.
    var isTooLarge: Bool { byteCount > SyntaxLimits.byteCount }

    /// The size of the file.
    var byteCount: Int { bytes.count + omittedByteCount }
}

/// What reading a run's schema files gave.
public struct SchemaReading: Sendable {
    /// The schemas of the files without errors, in the order in which the files were given.
    public var schemas: [Schema]
    /// Every finding of every file, by file, position and code.
    public var diagnostics: [Diagnostic]

    /// Whether a file has an error; what it would generate is then not in `schemas`.
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

/// Reads one file as far as it can be without resolving what it refers to. `nil` if so much is missing or unreadable
/// that resolving it would only report the same problems again.
func readDeclaration(_ source: SchemaSource, diagnostics: inout [Diagnostic]) -> SchemaDeclaration? {
    guard let root = parseYAML(source, diagnostics: &diagnostics) else { return nil }
    return Grammar.read(root, diagnostics: &diagnostics)
}
