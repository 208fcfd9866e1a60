/// The raw values of an enum's cases must be unique. Of two equal ones, only the first would ever be read.
enum DuplicateRawValue: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations where !enumeration.isUnreadable {
            var firsts: [CaseValue: CaseDeclaration] = [:]
            var names: Set<String> = []
            for (enumerationCase, rawValue) in zip(enumeration.cases, RawValues(enumeration).values) {
                // A repeated name is reported by another rule.
                guard let rawValue, names.insert(enumerationCase.name.value).inserted else { continue }
                if let first = firsts[rawValue] {
                    report.add(message(enumerationCase, rawValue: rawValue, first: first))
                } else {
                    firsts[rawValue] = enumerationCase
                }
            }
        }
    }

    private static func message(
        _ enumerationCase: CaseDeclaration, rawValue: CaseValue, first: CaseDeclaration
    ) -> Diagnostic {
        Diagnostic(
            .duplicateRawValue, at: enumerationCase.rawValue?.range ?? enumerationCase.name.range,
            message:
                "'\(enumerationCase.name.value)' has the same raw value as '\(first.name.value)', \(rawValue.text)",
            remedy: "Give one of the two another value.",
            notes: [
                Diagnostic.Note("First used by '\(first.name.value)'", at: first.rawValue?.range ?? first.name.range)
            ])
    }

    static let entry = CatalogueEntry(
        code: .duplicateRawValue,
        title: "Duplicate raw value",
        explanation: """
            Each case must have a different raw value. In an enum of `type: int`, the raw value of a case without a \
            value is that of the previous case plus one.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            enums:
              Size: { small: S, little: S }
            entities:
              Product:
                attributes: { id: int, size: Size }
            """,
        right: """
            lockstep: 1
            schema: Shop
            enums:
              Size: { small: S, little: XS }
            entities:
              Product:
                attributes: { id: int, size: Size }
            """)
}

extension CaseValue {
    /// The text in a message.
    fileprivate var text: String {
        switch self {
        case .string(let text): "'\(text)'"
        case .int(let number): "\(number)"
        }
    }
}

extension DiagnosticCode {
    /// Two cases with the same raw value.
    package static let duplicateRawValue = DiagnosticCode(rawValue: "duplicate-raw-value")
}
