/// An enum must have at least one case. In Swift, an enum without cases has no values.
enum EmptyEnum: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations where enumeration.cases.isEmpty && !enumeration.isUnreadable {
            report.add(
                Diagnostic(
                    .emptyEnum, at: enumeration.name.range, message: "'\(enumeration.name.value)' has no cases",
                    remedy: "List its cases: '\(enumeration.name.value): [first, second]'."))
        }
    }

    static let entry = CatalogueEntry(
        code: .emptyEnum,
        title: "Enum without cases",
        explanation: "An enum is a set of named values, and must have at least one.",
        wrong: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: {}
            entities:
              Entry:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: [happy]
            entities:
              Entry:
                attributes: { id: uuid }
            """)
}

extension DiagnosticCode {
    /// An enum without cases.
    package static let emptyEnum = DiagnosticCode(rawValue: "empty-enum")
}
