/// A limit must be a number in the range of the attribute's type.
enum WrongLimit: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where attribute.hasLimits {
            if attribute.takesRange, let type = attribute.storedScalar {
                for limit in [attribute.declaration.minimum, attribute.declaration.maximum] {
                    if let limit, ScalarDefault.number(limit.value, as: type) == nil {
                        report.add(message(limit, attribute: attribute, type: type))
                    }
                }
            }
        }
    }

    private static func message(_ limit: Located<String>, attribute: DraftAttribute, type: ScalarType) -> Diagnostic {
        Diagnostic(
            .wrongLimit, at: limit.range,
            message:
                "\(limit.value.shortened) is not a possible value of '\(attribute.name)' ('\(attribute.typeText)')",
            remedy: "Write \(ScalarDefault.expected(type)), or remove the limit.")
    }

    static let entry = CatalogueEntry(
        code: .wrongLimit,
        title: "Limit out of range",
        explanation: """
            A limit is a value of the attribute's type: a whole number for `int`, within the range of `int16` and \
            `int32`, at most 38 digits for `decimal`.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int16, max: 40000 } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, stock: { type: int16, max: 30000 } }
            """)
}

extension DiagnosticCode {
    /// A limit that no value of the type could reach.
    package static let wrongLimit = DiagnosticCode(rawValue: "wrong-limit")
}
