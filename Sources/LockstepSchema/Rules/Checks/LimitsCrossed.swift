/// The minimum must not exceed the maximum. Otherwise, no value would be valid.
enum LimitsCrossed: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where attribute.hasLimits {
            if let minimum = attribute.declaration.minimum, let maximum = attribute.declaration.maximum,
                let least = NumberText(minimum.value), let greatest = NumberText(maximum.value), least > greatest
            {
                report.add(message(minimum, minimumName: "min", maximum: maximum, maximumName: "max"))
            }
            if let minimum = attribute.declaration.minimumLength, let maximum = attribute.declaration.maximumLength,
                minimum.value > maximum.value
            {
                report.add(message(minimum, minimumName: "minLength", maximum: maximum, maximumName: "maxLength"))
            }
        }
    }

    private static func message<Limit>(
        _ minimum: Located<Limit>, minimumName: String, maximum: Located<Limit>, maximumName: String
    ) -> Diagnostic {
        Diagnostic(
            .limitsCrossed, at: minimum.range,
            message: "'\(minimumName)' (\(minimum.value)) is greater than '\(maximumName)' (\(maximum.value))",
            remedy: "Swap the two, or correct one of them.",
            notes: [Diagnostic.Note("'\(maximumName)' is here", at: maximum.range)])
    }

    static let entry = CatalogueEntry(
        code: .limitsCrossed,
        title: "Limits without allowed values",
        explanation: "The minimum is greater than the maximum, so no value is allowed.",
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stars: { type: int, min: 5, max: 1 } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stars: { type: int, min: 1, max: 5 } }
            """)
}

extension DiagnosticCode {
    /// A minimum above the maximum.
    package static let limitsCrossed = DiagnosticCode(rawValue: "limits-crossed")
}
