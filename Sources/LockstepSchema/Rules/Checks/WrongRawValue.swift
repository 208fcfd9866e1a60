/// A raw value is of the enum's type: a whole number of 64 bits, or a text.
enum WrongRawValue: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations {
            for (enumerationCase, rawValue) in zip(enumeration.cases, RawValues(enumeration).values) where rawValue == nil {
                report.add(message(enumerationCase, of: enumeration))
            }
        }
    }

    private static func message(_ enumerationCase: CaseDeclaration, of enumeration: EnumerationDeclaration) -> Diagnostic {
        let name = enumerationCase.name.value
        switch enumerationCase.rawValue?.value {
        case nil:
            return Diagnostic(
                .wrongRawValue, at: enumerationCase.name.range, "There is no whole number left for '\(name)' to count on to",
                remedy: "Write its value: '\(name): 0'.")
        case .int(let number):
            return Diagnostic(
                .wrongRawValue, at: enumerationCase.rawValue?.range ?? enumerationCase.name.range,
                "\(number) is a number, and the values of '\(enumeration.name.value)' are texts",
                remedy: "Write '\"\(number)\"', or give the enum 'type: int'.")
        case .string(let text):
            return Diagnostic(
                .wrongRawValue, at: enumerationCase.rawValue?.range ?? enumerationCase.name.range,
                "'\(text.shortened)' is no whole number, as the values of '\(enumeration.name.value)' are",
                remedy: "Write a whole number, or remove 'type: int'.")
        }
    }

    static let entry = CatalogueEntry(
        code: .wrongRawValue,
        title: "Raw value of another type",
        explanation: """
            The raw values of an enum are texts, or whole numbers of 64 bits with `type: int`. A case of such an enum that has \
            no value counts on from the case before.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            enums:
              Priority: { type: int, cases: { low: none, high: 10 } }
            entities:
              Item:
                attributes: { id: uuid, priority: Priority }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            enums:
              Priority: { type: int, cases: { low: 0, high: 10 } }
            entities:
              Item:
                attributes: { id: uuid, priority: Priority }
            """)
}

extension DiagnosticCode {
    /// A raw value that is not of the enum's type.
    public static let wrongRawValue = DiagnosticCode(rawValue: "wrong-raw-value")
}
