/// A default must satisfy the attribute's limits. Otherwise, a record created without a value could not be stored.
enum DefaultOutsideLimits: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes {
            if case .wrong(let problem) = attribute.defaultReading, case .outsideLimits(let broken) = problem.reason {
                report.add(
                    Diagnostic(
                        .defaultOutsideLimits, at: problem.range,
                        message: "The default of '\(attribute.name)' is \(broken)",
                        remedy: "Change the default or the limit."))
            }
        }
    }

    static let entry = CatalogueEntry(
        code: .defaultOutsideLimits,
        title: "Default outside the limits",
        explanation: """
            `min`, `max`, `minLength` and `maxLength` apply to the default, too. Otherwise, a record with the default \
            value could not be stored.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int, min: 1, default: 0 } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int, min: 0, default: 0 } }
            """)
}

extension DiagnosticCode {
    /// A default that violates its attribute's limits.
    package static let defaultOutsideLimits = DiagnosticCode(rawValue: "default-outside-limits")
}
