/// A default must be a value of the attribute's type.
enum WrongDefault: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes {
            if case .wrong(let problem) = attribute.defaultReading, case .notOfType(let expected) = problem.reason {
                report.add(message(attribute, at: problem.range, expected: expected))
            }
        }
    }

    private static func message(_ attribute: DraftAttribute, at range: TextRange, expected: String) -> Diagnostic {
        Diagnostic(
            .wrongDefault, at: range,
            message: "The default of '\(attribute.name)' is not of its type '\(attribute.typeText)'",
            remedy: "Write \(expected), or remove 'default:'.",
            notes: [Diagnostic.Note("The type is here", at: attribute.declaration.typeName.range)])
    }

    static let entry = CatalogueEntry(
        code: .wrongDefault,
        title: "Default of the wrong type",
        explanation: """
            A default is a value of the attribute's type: digits for numbers (without quotes, and within the range of \
            `int16` and `int32`), `true` or `false`, `now` or ISO 8601 for dates, `2026-11-27` \
            for days, `new` or a UUID, base64 for data, a \
            list for lists. For a `json` attribute, text in quotes is parsed as JSON; without quotes, the YAML value \
            is used.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int, default: none } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int, default: 0 } }
            """)
}

extension DiagnosticCode {
    /// A default that is not of its attribute's type.
    package static let wrongDefault = DiagnosticCode(rawValue: "wrong-default")
}
