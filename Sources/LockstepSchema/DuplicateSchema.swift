extension DiagnosticCode {
    /// Two schemas with the same name in one run.
    package static let duplicateSchema = DiagnosticCode(rawValue: "duplicate-schema")
}

extension Diagnostic {
    static func duplicateSchema(_ name: Located<String>, first: SourceRange) -> Diagnostic {
        Diagnostic(
            .duplicateSchema, at: name.range, message: "There is already a schema '\(name.value)'",
            remedy: "Rename one of the two, or pass only one of the files. Both would write the same output.",
            notes: [Note("First used here", at: first)])
    }

    static let duplicateSchemaCatalogue = CatalogueEntry(
        code: .duplicateSchema,
        title: "Duplicate schema name",
        explanation: """
            The name of a schema is the name of its output folder and of its schema type. Two schema files with the \
            same name in one run would write the same files.
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
