/// `min` and `max` are for numbers, `minLength` and `maxLength` for types with a length: strings, data and lists.
enum LimitDoesNotFit: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where attribute.hasLimits && attribute.type != nil {
            if !attribute.takesRange {
                for (name, limit) in [("min", attribute.declaration.minimum), ("max", attribute.declaration.maximum)] {
                    if let limit { report.add(message(name, at: limit.range, attribute: attribute, types: "numbers")) }
                }
            }
            if !attribute.takesLength {
                for (name, limit) in [
                    ("minLength", attribute.declaration.minimumLength),
                    ("maxLength", attribute.declaration.maximumLength),
                ] {
                    if let limit {
                        report.add(
                            message(name, at: limit.range, attribute: attribute, types: "strings, data and lists"))
                    }
                }
            }
        }
    }

    private static func message(
        _ name: String, at range: TextRange, attribute: DraftAttribute, types: String
    ) -> Diagnostic {
        let other =
            attribute.takesLength ? (name == "min" ? "minLength" : "maxLength") : name == "minLength" ? "min" : "max"
        let hasOther = name.hasSuffix("Length") ? attribute.takesRange : attribute.takesLength
        return Diagnostic(
            .limitDoesNotFit, at: range,
            message: "'\(name)' is for \(types), but '\(attribute.name)' is '\(attribute.typeText)'",
            remedy: hasOther ? "Write '\(other)', or remove the limit." : "Remove the limit.",
            notes: [Diagnostic.Note("The type is here", at: attribute.declaration.typeName.range)])
    }

    static let entry = CatalogueEntry(
        code: .limitDoesNotFit,
        title: "Limit does not apply to the type",
        explanation: """
            `min` and `max` limit numbers. `minLength` and `maxLength` limit the characters of strings, the bytes of \
            data and the values of lists.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: { type: string, max: 80 } }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: { type: string, maxLength: 80 } }
            """)
}

extension DraftAttribute {
    /// Whether `min` and `max` are allowed.
    var takesRange: Bool { !isList && storedScalar?.isNumber ?? false }

    /// Whether `minLength` and `maxLength` are allowed.
    var takesLength: Bool { isList || storedScalar == .string || storedScalar == .data }
}

extension DiagnosticCode {
    /// A limit that the attribute's type does not have.
    package static let limitDoesNotFit = DiagnosticCode(rawValue: "limit-does-not-fit")
}
