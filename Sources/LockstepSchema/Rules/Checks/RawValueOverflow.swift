/// A case without a value is one greater than the previous case, up to the greatest integer of 64 bits.
enum RawValueOverflow: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for enumeration in draft.declaration.enumerations where enumeration.isInteger && !enumeration.isUnreadable {
            for (enumerationCase, rawValue) in zip(enumeration.cases, RawValues(enumeration).values)
            where rawValue == nil {
                let name = enumerationCase.name
                report.add(
                    Diagnostic(
                        .rawValueOverflow, at: name.range,
                        message: "There is no raw value left for '\(name.value.shortened)'",
                        remedy: "Write its value: '\(name.value.shortened): 0'."))
                break
            }
        }
    }

    static let entry = CatalogueEntry(
        code: .rawValueOverflow,
        title: "Raw value out of range",
        explanation: """
            In an enum of `type: int`, the raw value of a case without a value is that of the previous case plus one. \
            There is no value after \(Int64.max).
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            enums:
              Priority: { type: int, cases: { high: 9223372036854775807, higher: {} } }
            entities:
              Item:
                attributes: { id: uuid, priority: Priority }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            enums:
              Priority: { type: int, cases: { high: 100, higher: 9223372036854775807 } }
            entities:
              Item:
                attributes: { id: uuid, priority: Priority }
            """)
}

extension DiagnosticCode {
    /// A case whose value would exceed the greatest integer.
    package static let rawValueOverflow = DiagnosticCode(rawValue: "raw-value-overflow")
}
