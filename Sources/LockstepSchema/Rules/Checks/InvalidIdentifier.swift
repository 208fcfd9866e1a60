/// A name must consist of letters, digits and underscores and not begin with a digit, because it becomes a name in
/// Swift. Other names in JSON or SQL can be specified by `key:`, `column:` and `table:`.
enum InvalidIdentifier: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        let declaration = draft.declaration
        check(type: declaration.name, noun: "schema", into: &report)
        for enumeration in declaration.enumerations {
            check(type: enumeration.name, noun: "enum", into: &report)
            for enumerationCase in enumeration.cases {
                check(
                    enumerationCase.name, noun: "case", keep: " and keep the raw value: '{ name: value }'",
                    into: &report)
            }
        }
        for type in declaration.types {
            check(type: type.name, noun: "type", into: &report)
            if let module = type.module { check(module, noun: "module", into: &report) }
        }
        for entity in draft.entities {
            let keepTable = " and keep the table's name with 'table:'"
            check(type: entity.declaration.name, noun: "entity", keep: keepTable, into: &report)
        }
        let keepKey = " and keep the JSON key with 'key:'"
        for attribute in draft.attributes {
            check(attribute.declaration.name, noun: "attribute", keep: keepKey, into: &report)
        }
        for relationship in draft.relationships {
            check(relationship.declaration.name, noun: "relationship", keep: keepKey, into: &report)
        }
    }

    private static func check(_ name: Located<String>, noun: String, keep: String = "", into report: inout Report) {
        if Identifier.isValid(name.value) { return }
        report.add(message(name, noun: noun, corrected: Identifier.corrected(name.value), keep: keep))
    }

    /// A type is not renamed twice: its name also begins with a capital.
    private static func check(type name: Located<String>, noun: String, keep: String = "", into report: inout Report) {
        if Identifier.isValid(name.value) { return }
        report.add(message(name, noun: noun, corrected: Identifier.correctedTypeName(name.value), keep: keep))
    }

    private static func message(_ name: Located<String>, noun: String, corrected: String?, keep: String) -> Diagnostic {
        Diagnostic(
            .notAnIdentifier, at: name.range,
            message: "'\(name.value.shortened)' cannot be the name of \(noun.withArticle)",
            remedy: (corrected.map { "Rename it to '\($0)'" } ?? "Use letters and digits") + keep + ".")
    }

    static let entry = CatalogueEntry(
        code: .notAnIdentifier,
        title: "Not an identifier",
        explanation: """
            Names become names in Swift. They consist of letters, digits and underscores, and do not begin with a \
            digit. If the name differs on the server or in the database, set it with `key:`, `column:` or `table:`.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, body-text: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, bodyText: { type: string, key: body-text } }
            """)
}

extension DiagnosticCode {
    /// A name that is not allowed in Swift.
    package static let notAnIdentifier = DiagnosticCode(rawValue: "not-an-identifier")
}

extension String {
    /// "an enum", "a type".
    var withArticle: String {
        let startsWithVowel = unicodeScalars.first.map { "aeiou".unicodeScalars.contains($0) } ?? false
        return (startsWithVowel ? "an " : "a ") + self
    }
}
