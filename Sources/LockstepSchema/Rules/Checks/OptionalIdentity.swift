/// The attributes of an identity are required: a record without one is no record of anything.
enum OptionalIdentity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            for attribute in entity.identity.keyAttributes where attribute.isOptional && !attribute.isLost {
                report.add(message(attribute, in: entity))
            }
        }
    }

    private static func message(_ attribute: DraftAttribute, in entity: DraftEntity) -> Diagnostic {
        let required = String(attribute.typeText.dropLast())
        let declared = entity.identity.declaration
        return Diagnostic(
            .optionalIdentity, at: attribute.declaration.typeName.range,
            "'\(attribute.name)' is the identity of '\(entity.name)', and is optional",
            remedy: declared == nil
                ? "Write '\(required)', or 'identity: none' if it does not tell records apart."
                : "Write '\(required)'.",
            notes: declared.map { [Diagnostic.Note("The identity is named here", at: $0.range)] } ?? [])
    }

    static let entry = CatalogueEntry(
        code: .optionalIdentity,
        title: "Optional identity",
        explanation: """
            A record is found by its identity, so that it always has one. Where the server makes the id, and a new \
            record has none yet, the identity is `{ local: localID, remote: remoteID }`, and the remote one is \
            optional. An attribute `id` is the identity unless the schema says otherwise.
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
    /// An identity that a record may lack.
    public static let optionalIdentity = DiagnosticCode(rawValue: "optional-identity")
}
