extension DiagnosticCode {
    /// A file that is too large.
    package static let fileTooLarge = DiagnosticCode(rawValue: "file-too-large")
    /// Lists and mappings that are nested too deeply.
    package static let nestedTooDeep = DiagnosticCode(rawValue: "nested-too-deep")
    /// Aliases that expand to too many values.
    package static let aliasesTooLarge = DiagnosticCode(rawValue: "aliases-too-large")
}

extension Diagnostic {
    static func fileTooLarge(_ source: SchemaSource) -> Diagnostic {
        Diagnostic(
            .fileTooLarge, at: SourceRange(startOf: source.path),
            message: "The file has \(source.byteCount) bytes; the maximum is \(SchemaSource.maximumByteCount)",
            remedy: "Split the schema into several.")
    }

    static func nestedTooDeep(at range: TextRange) -> Diagnostic {
        Diagnostic(
            .nestedTooDeep, at: range, message: "This is nested deeper than \(SyntaxLimits.depth) levels",
            remedy: "Remove surplus brackets. No part of a schema is nested that deeply.")
    }

    static func aliasesTooLarge(at range: TextRange) -> Diagnostic {
        Diagnostic(
            .aliasesTooLarge, at: range,
            message: "The aliases up to here expand to more than \(SyntaxLimits.aliasedNodeCount) values",
            remedy: "Use fewer aliases of values that contain aliases.")
    }
}

extension SourceRange {
    /// The first position of a file.
    init(startOf path: String) {
        let start = SourcePosition(line: 1, column: 1)
        self.init(path: path, start: start, end: start)
    }
}

extension Diagnostic {
    private static let corrected = """
        lockstep: 1
        schema: Journal
        entities:
          Entry:
            attributes: { id: uuid, title: string }
        """

    static let fileTooLargeCatalogue = CatalogueEntry(
        code: .fileTooLarge,
        title: "File too large",
        explanation: """
            A schema file can have at most 16 MiB, which is enough for some 15,000 entities. The limit prevents a file \
            that is not a schema from using up the memory of the machine. The size is checked before the file is read. \
            (The example stands for a file with more bytes.)
            """,
        wrong: corrected,
        right: corrected,
        trigger: .padded(toByteCount: SchemaSource.maximumByteCount + 1))

    static let nestedTooDeepCatalogue = CatalogueEntry(
        code: .nestedTooDeep,
        title: "Nested too deeply",
        explanation: """
            Lists and mappings can be nested at most 64 levels deep, including those that aliases expand to. The \
            language itself needs 8. The limit prevents malicious files from exhausting the stack.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: { type: json, default: \
            \(String(repeating: "[", count: 62))\(String(repeating: "]", count: 62)) }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: uuid
                  title: { type: json, default: "[]" }
            """)

    static let aliasesTooLargeCatalogue = CatalogueEntry(
        code: .aliasesTooLarge,
        title: "Aliases too large",
        explanation: """
            Aliases are expanded, and may expand to 1,000,000 values in total. Aliases of aliases multiply, so without \
            a limit a few lines could use up all memory.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            doc: &a [x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x]
            access: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
            wire: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
            enums: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
            types: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        right: corrected)
}
