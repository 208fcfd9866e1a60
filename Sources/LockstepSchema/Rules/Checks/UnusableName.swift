/// The name of a column or table may contain anything that can be read, but must not be empty.
enum UnusableName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities { check(entity.declaration.table, noun: "table", into: &report) }
        for attribute in draft.attributes {
            check(attribute.declaration.column, noun: "column", into: &report)
        }
        for relationship in draft.relationships {
            check(relationship.declaration.column, noun: "column", into: &report)
        }
    }

    private static func check(_ name: Located<String>?, noun: String, into report: inout Report) {
        if let name, name.value.isEmpty {
            report.add(
                Diagnostic(
                    .unusableName, at: name.range, message: "The name of a \(noun) cannot be empty",
                    remedy: "Write a name, or remove the key to use the default."))
        }
    }

    static let entry = CatalogueEntry(
        code: .unusableName,
        title: "Unusable name",
        explanation: """
            `table:` and `column:` accept any name that SQL allows in quotes, `key:` and `path:` any text. A name \
            of a table or a column cannot be empty. None of them can contain what breaks a line, commands a terminal \
            or changes the direction of text: control characters, U+2028, U+2029 and bidirectional controls.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: { type: string, column: "" } }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: { type: string, column: "the \\"title\\"" } }
            """)
}

extension DiagnosticCode {
    /// A name that is not possible in SQL or JSON.
    package static let unusableName = DiagnosticCode(rawValue: "unusable-name")
}
