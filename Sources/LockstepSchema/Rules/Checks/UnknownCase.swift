/// The default of an enum attribute must be one of its cases, by its name in the schema.
enum UnknownCase: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes {
            if case .wrong(let problem) = attribute.defaultReading, case .unknownCase(let name, let of) = problem.reason
            {
                report.add(message(name, enumeration: of, at: problem.range))
            }
        }
    }

    private static func message(_ name: String, enumeration: EnumerationDeclaration, at range: TextRange)
        -> Diagnostic
    {
        Diagnostic(
            .unknownCase, at: range, message: "'\(enumeration.name.value)' has no case '\(name.shortened)'",
            remedy: remedy(name, enumeration: enumeration),
            notes: [Diagnostic.Note("'\(enumeration.name.value)' is declared here", at: enumeration.name.range)])
    }

    /// A common mistake is to write the raw value instead of the case.
    private static func remedy(_ name: String, enumeration: EnumerationDeclaration) -> String {
        for (enumerationCase, rawValue) in zip(enumeration.cases, RawValues(enumeration).values) {
            if rawValue == .string(name) || Int64(name).map({ rawValue == .int($0) }) ?? false {
                return "Use the name of the case, not its raw value: '\(enumerationCase.name.value)'."
            }
        }
        let names = enumeration.cases.map(\.name.value)
        return .didYouMean(
            name, among: names, else: "Write \(ValueShape.alternatives(names.prefix(8).map { "'\($0)'" })).")
    }

    static let entry = CatalogueEntry(
        code: .unknownCase,
        title: "Unknown case",
        explanation: "If the type of an attribute is an enum, its default is the name of a case, not a raw value.",
        wrong: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: [sad, happy]
            entities:
              Entry:
                attributes: { id: uuid, mood: { type: Mood, default: hapy } }
            """,
        right: """
            lockstep: 1
            schema: Journal
            enums:
              Mood: [sad, happy]
            entities:
              Entry:
                attributes: { id: uuid, mood: { type: Mood, default: happy } }
            """)
}

extension DiagnosticCode {
    /// A default that is not a case of its enum.
    package static let unknownCase = DiagnosticCode(rawValue: "unknown-case")
}
