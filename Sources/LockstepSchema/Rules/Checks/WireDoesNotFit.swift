/// `wire: string` is for numbers and bools, a date format for dates; other types have only one encoding in JSON.
enum WireDoesNotFit: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where attribute.type != nil {
            guard let wire = attribute.declaration.wire else { continue }
            switch wire.value {
            case .none: break
            case .text: if !attribute.takesTextOnWire { report.add(message(text: wire.range, attribute: attribute)) }
            case .date(let format):
                if attribute.storedScalar != .date { report.add(message(format, at: wire.range, attribute: attribute)) }
            }
        }
    }

    private static func message(text range: TextRange, attribute: DraftAttribute) -> Diagnostic {
        Diagnostic(
            .wireDoesNotFit, at: range,
            message:
                "'wire: string' is for single numbers and bools, but '\(attribute.name)' is '\(attribute.typeText)'",
            remedy: "Remove 'wire:'.")
    }

    private static func message(_ format: DateFormat, at range: TextRange, attribute: DraftAttribute) -> Diagnostic {
        guard case .pattern(let pattern) = format else {
            return Diagnostic(
                .wireDoesNotFit, at: range,
                message: "This is a date format, but '\(attribute.name)' is '\(attribute.typeText)'",
                remedy: "Remove 'wire:', or make the attribute a date.")
        }
        return Diagnostic(
            .wireDoesNotFit, at: range,
            message: "'\(pattern.shortened)' could only be a date pattern, but '\(attribute.name)' is "
                + "'\(attribute.typeText)'",
            remedy: .didYouMean(
                pattern, among: ["none", "string"], else: "Remove 'wire:', or write 'none' or 'string'."))
    }

    static let entry = CatalogueEntry(
        code: .wireDoesNotFit,
        title: "Wire format does not apply to the type",
        explanation: """
            `wire: string` encodes a number or a bool as text. `iso8601`, `secondsSince1970`, `millisecondsSince1970` \
            and patterns are for dates. `none` excludes any attribute from JSON.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: { type: string, wire: iso8601 } }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, writtenAt: { type: date, wire: iso8601 } }
            """)
}

extension DraftAttribute {
    fileprivate var takesTextOnWire: Bool {
        !isList && (storedScalar?.isNumber ?? false || storedScalar == .bool)
    }
}

extension DiagnosticCode {
    /// An encoding that the type does not have.
    package static let wireDoesNotFit = DiagnosticCode(rawValue: "wire-does-not-fit")
}
