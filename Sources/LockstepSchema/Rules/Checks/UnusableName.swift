/// The name of a column or table may contain anything, but must not be empty, or contain a NUL, which ends a name in
/// SQLite.
enum UnusableName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities { check(entity.declaration.table, "table", into: &report) }
        for attribute in draft.attributes {
            check(attribute.declaration.column, "column", into: &report)
        }
        for relationship in draft.relationships {
            check(relationship.declaration.column, "column", into: &report)
        }
    }

    private static func check(_ name: Located<String>?, _ noun: String, into report: inout Report) {
        if let name, name.value.isEmpty || name.value.utf8.contains(0) {
            report.add(
                Diagnostic(
                    .unusableName, at: name.range,
                    name.value.isEmpty
                        ? "The name of a \(noun) cannot be empty" : "The name of a \(noun) cannot contain NUL",
                    remedy: "Write a name, or remove the key to use the default."))
        }
    }

    static let entry = CatalogueEntry(
        code: .unusableName,
        title: "Unusable name",
        explanation: """
            `table:` and `column:` accept any name that SQL allows in quotes. The name cannot be empty and cannot \
            contain NUL.
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
    public static let unusableName = DiagnosticCode(rawValue: "unusable-name")
}
