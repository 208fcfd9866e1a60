extension DiagnosticCode {
    /// Two schemas of one name in one run.
    public static let duplicateSchema = DiagnosticCode(rawValue: "duplicate-schema")
}

extension Diagnostic {
    static func duplicateSchema(_ name: Located<String>, first: SourceRange) -> Diagnostic {
        Diagnostic(
            .duplicateSchema, at: name.range, "A schema '\(name.value)' was given already",
            remedy: "Call one of the two otherwise, or give only one of the files: both would write the same output.",
            notes: [Note("First given here", at: first)])
    }

    static let duplicateSchemaCatalogue = CatalogueEntry(
        code: .duplicateSchema,
        title: "Two schemas of one name",
        explanation: """
            A schema's name is the name of its output folder and of its schema type. Two schema files of one run with \
            the same name would write the same files.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """,
        trigger: .twice)
}
