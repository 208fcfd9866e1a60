/// An open enum has the case `unknown(…)` for unknown values, and cannot have another one with that name.
enum ReservedCase: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations where !enumeration.isClosed {
            for enumerationCase in enumeration.cases where enumerationCase.name.value == "unknown" {
                report.add(
                    Diagnostic(
                        .reservedCase, at: enumerationCase.name.range,
                        message: "An open enum already has a case 'unknown'",
                        remedy:
                            "Rename it and keep the raw value ('unspecified: unknown'), or write "
                            + "'closed: true'."
                    ))
            }
        }
    }

    static let entry = CatalogueEntry(
        code: .reservedCase,
        title: "Reserved case",
        explanation: """
            Enums are open unless the schema has `closed: true`. Every open enum has a case `unknown`, which keeps \
            values that this version of the app does not know.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: [happy, unknown]
            entities:
              Entry:
                attributes: { id: uuid, mood: Mood }
            """,
        right: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: { happy: happy, unspecified: unknown }
            entities:
              Entry:
                attributes: { id: uuid, mood: Mood }
            """)
}

extension DiagnosticCode {
    /// A case that every open enum has already.
    package static let reservedCase = DiagnosticCode(rawValue: "reserved-case")
}
