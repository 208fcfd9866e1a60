/// Names of types must begin with a capital, as in Swift, so a type's name is never a keyword or the name of a built-in
/// type.
enum LowerCaseName: Rule {
    /// The number of uses that are shown.
    private static let shownUseCount = 8

    static func check(_ draft: Draft, into report: inout Report) {
        let declaration = draft.declaration
        check(declaration.name, noun: "schema", into: &report) { [] }
        for enumeration in declaration.enumerations {
            check(enumeration.name, noun: "enum", into: &report) { typeUses(of: enumeration.name.value, in: draft) }
        }
        for type in declaration.types {
            check(type.name, noun: "type", into: &report) { typeUses(of: type.name.value, in: draft) }
        }
        for entity in draft.entities {
            check(entity.declaration.name, noun: "entity", into: &report) { uses(of: entity, in: draft) }
        }
    }

    private static func typeUses(of name: String, in draft: Draft) -> [TextRange] {
        draft.attributes.lazy.map(\.declaration.typeName).filter { $0.value == name }.map(\.range)
    }

    private static func uses(of entity: DraftEntity, in draft: Draft) -> [TextRange] {
        let destinations = draft.relationships.lazy.map(\.declaration.destination)
        let bases = draft.entities.lazy.flatMap(\.declaration.extends)
        return (Array(destinations) + bases).filter { $0.value == entity.name }.map(\.range)
    }

    private static func check(
        _ name: Located<String>, noun: String, into report: inout Report, uses: () -> [TextRange]
    ) {
        if Identifier.isValid(name.value), !Identifier.startsLikeType(name.value) {
            report.add(message(name, noun: noun, uses: uses()))
        }
    }

    private static func message(_ name: Located<String>, noun: String, uses: [TextRange]) -> Diagnostic {
        let corrected = Identifier.correctedTypeName(name.value) ?? "T" + name.value
        return Diagnostic(
            .lowerCaseName, at: name.range,
            message: "The name of \(noun.withArticle) must begin with a capital letter, but '\(name.value)' does not",
            remedy: "Rename it to '\(corrected)'" + (uses.isEmpty ? "." : ", also where it is used."),
            notes: uses.prefix(shownUseCount).map { Diagnostic.Note("'\(name.value)' is used here", at: $0) })
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
    package static let lowerCaseName = DiagnosticCode(rawValue: "lower-case-name")
}
