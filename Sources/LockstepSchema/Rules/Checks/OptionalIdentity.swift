/// The attributes of an identity must be required, because a record without one cannot be identified.
enum OptionalIdentity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            for attribute in entity.identity.keyAttributes where attribute.isOptional && !attribute.isUnreadable {
                report.add(message(attribute, in: entity))
            }
        }
    }

    private static func message(_ attribute: DraftAttribute, in entity: DraftEntity) -> Diagnostic {
        let required = String(attribute.typeText.dropLast())
        let declared = entity.identity.declaration
        return Diagnostic(
            .optionalIdentity, at: attribute.declaration.typeName.range,
            message: "'\(attribute.name)' is the identity of '\(entity.name)', but is optional",
            remedy: declared == nil
                ? "Write '\(required)', or 'identity: none' if it does not identify a record."
                : "Write '\(required)'.",
            notes: declared.map { [Diagnostic.Note("The identity is set here", at: $0.range)] } ?? [])
    }

    static let entry = CatalogueEntry(
        code: .optionalIdentity,
        title: "Optional identity",
        explanation: """
            A record is found by its identity, so it must always have one. If the server makes the id, a new record \
            does not have one yet: use `identity: { local: localID, remote: remoteID }`, in which the remote attribute \
            is optional. An attribute `id` is the identity unless the schema says otherwise.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid?, title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)
}

extension DiagnosticCode {
    /// An identity that may be missing in a record.
    package static let optionalIdentity = DiagnosticCode(rawValue: "optional-identity")
}
