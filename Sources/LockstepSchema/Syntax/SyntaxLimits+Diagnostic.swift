extension DiagnosticCode {
    /// A file of more bytes than we read.
    public static let fileTooLarge = DiagnosticCode(rawValue: "file-too-large")
    /// Lists and mappings within each other, deeper than we read.
    public static let nestedTooDeep = DiagnosticCode(rawValue: "nested-too-deep")
    /// Aliases that stand for more than we read.
    public static let aliasesTooLarge = DiagnosticCode(rawValue: "aliases-too-large")
}

extension Diagnostic {
    static func fileTooLarge(_ source: SchemaSource) -> Diagnostic {
        Diagnostic(
            .fileTooLarge, at: SourceRange(startOf: source.path),
            "The file has \(source.byteCount) bytes, more than the \(SyntaxLimits.byteCount) that are read",
            remedy: "Divide the schema into several.")
    }

    static func nestedTooDeep(at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .nestedTooDeep, at: range, "This is nested deeper than \(SyntaxLimits.depth) levels",
            remedy: "Remove the brackets that are too many: no part of a schema nests so deep.")
    }

    static func aliasesTooLarge(at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .aliasesTooLarge, at: range,
            "The aliases up to here stand for more than \(SyntaxLimits.aliasedNodeCount) values",
            remedy: "Use fewer aliases of values that hold aliases themselves.")
    }
}

extension SourceRange {
    /// The first place of a file.
    init(startOf path: String) {
        let start = SourcePosition(line: 1, column: 1)
        self.init(path: path, start: start, end: start)
    }
}

extension Diagnostic {
    private static let mended = """
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
            A schema file may have 16 MiB, which is some 15,000 entities. The limit keeps a file that is no schema at \
            all from taking the memory of the machine: its size is checked before it is read. (The example stands for \
            a file of more bytes.)
            """,
        wrong: mended,
        right: mended,
        trigger: .padded(toByteCount: SyntaxLimits.byteCount + 1))

    static let nestedTooDeepCatalogue = CatalogueEntry(
        code: .nestedTooDeep,
        title: "Nested too deep",
        explanation: """
            Lists and mappings nest to a depth of 64 at most, those included that aliases stand for. The language \
            itself needs 8; the limit keeps a file that was made to harm from exhausting the stack.
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
        title: "Aliases stand for too much",
        explanation: """
            Aliases are expanded where they stand, and all that they stand for may be 1,000,000 values. Aliases of \
            aliases grow by multiplication, so that a few lines could otherwise fill any memory.
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
        right: mended)
}
