/// Names of types must begin with a capital, as in Swift, so a type's name is never a keyword or the name of a built-in
/// type.
enum LowerCaseName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        let declaration = draft.declaration
        check(declaration.name, "schema", into: &report)
        for enumeration in declaration.enumerations { check(enumeration.name, "enum", into: &report) }
        for type in declaration.types { check(type.name, "type", into: &report) }
        for entity in draft.entities { check(entity.declaration.name, "entity", into: &report) }
    }

    private static func check(_ name: Located<String>, _ noun: String, into report: inout Report) {
        if Identifier.isValid(name.value), !Identifier.startsLikeType(name.value) { report.add(message(name, noun)) }
    }

    private static func message(_ name: Located<String>, _ noun: String) -> Diagnostic {
        let words = NameWords(name.value).words
        let corrected = words.isEmpty ? "T" + name.value : words.map(\.capitalizingFirst).joined()
        return Diagnostic(
            .lowerCaseName, at: name.range,
            "The name of \(noun.withArticle) must begin with a capital letter, but '\(name.value)' does not",
            remedy: "Rename it to '\(corrected)'.")
    }

    static let entry = CatalogueEntry(
        code: .lowerCaseName,
        title: "Lowercase type name",
        explanation: """
            Schemas, enums, types and entities become Swift types, whose names begin with a capital letter. Tables and \
            paths are derived from the name in their own style: the table of `ProductReview` is `product_review`.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              journal_entry:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              JournalEntry:
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// The name of a type that does not begin with a capital.
    public static let lowerCaseName = DiagnosticCode(rawValue: "lower-case-name")
}
