/// A type of the user's is stored as one of the language's own types, which SQL and JSON have a form for.
enum UnstorableType: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for type in draft.declaration.types where ScalarType(rawValue: type.stored.value) == nil {
            report.add(
                Diagnostic(
                    .unstorableType, at: type.stored.range,
                    "'\(type.stored.value.shortened)' is no type that '\(type.name.value)' can be stored as",
                    remedy: .didYouMean(
                        type.stored.value, among: ScalarType.allCases.map(\.rawValue),
                        else: "Write string, int, decimal or another type of the language.")))
        }
    }

    static let entry = CatalogueEntry(
        code: .unstorableType,
        title: "Type that cannot be stored",
        explanation: """
            A type of your own is converted to and from one of the language's types, which is what SQL and JSON hold: \
            `stored: decimal`. Enums, lists and other types of your own are none.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            types:
              Money: { stored: number }
            entities:
              Product:
                attributes: { id: int, price: Money }
            """,
        right: """
            lockstep: 1
            schema: Shop
            types:
              Money: { stored: decimal }
            entities:
              Product:
                attributes: { id: int, price: Money }
            """)
}

extension DiagnosticCode {
    /// A `stored:` that is no type of the language.
    public static let unstorableType = DiagnosticCode(rawValue: "unstorable-type")
}
