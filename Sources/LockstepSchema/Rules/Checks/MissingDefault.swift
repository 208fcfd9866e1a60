/// An attribute that no server sends, or that is not stored, must be optional or have a default. Otherwise, a received
/// record could not be created.
enum MissingDefault: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where !attribute.isOptional && attribute.type != nil {
            if attribute.isAttachment, !attribute.isTransient {
                if attribute.storedScalar == .data, !attribute.isList { report.add(message(attachment: attribute)) }
            } else if attribute.declaration.defaultValue == nil, let reason = reason(attribute), !isKey(attribute) {
                report.add(message(attribute, reason: reason))
            }
        }
    }

    private static func reason(_ attribute: DraftAttribute) -> String? {
        if attribute.isTransient { return "is transient" }
        return attribute.declaration.wire?.value == .some(.none) ? "is not sent" : nil
    }

    /// The attributes of a key have their own rule.
    private static func isKey(_ attribute: DraftAttribute) -> Bool {
        attribute.owner.isIncomplete || attribute.owner.identity.keyAttributes.contains { $0 === attribute }
    }

    private static func message(_ attribute: DraftAttribute, reason: String) -> Diagnostic {
        Diagnostic(
            .missingDefault, at: attribute.declaration.name.range,
            message: "'\(attribute.name)' \(reason), is required and has no default",
            remedy: "Make it optional ('\(attribute.typeText)?') or add 'default:'.")
    }

    private static func message(attachment attribute: DraftAttribute) -> Diagnostic {
        Diagnostic(
            .missingDefault, at: attribute.declaration.typeName.range,
            message:
                "'\(attribute.name)' is an attachment, whose file arrives after its record, so it cannot be required",
            remedy: "Make it optional: 'data?'.")
    }

    static let entry = CatalogueEntry(
        code: .missingDefault,
        title: "Required attribute without a value",
        explanation: """
            A record from a server has no values for transient attributes, for attributes with `wire: none`, and for \
            attachments, which are downloaded later. Such an attribute must be optional or have a default.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, isOpen: { type: bool, transient: true } }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, isOpen: { type: bool, transient: true, default: false } }
            """)
}

extension DiagnosticCode {
    /// A required attribute without a value from a server or a default.
    package static let missingDefault = DiagnosticCode(rawValue: "missing-default")
}
