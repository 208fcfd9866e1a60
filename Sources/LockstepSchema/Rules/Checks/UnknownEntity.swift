/// The destination of a relationship, and what an entity extends, must be entities of the schema.
enum UnknownEntity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for relationship in draft.relationships
        where !relationship.isDestinationKnown && !relationship.declaration.isUnreadable {
            let destination = relationship.declaration.destination
            report.add(message(destination, meaning: relationship.destination, in: draft))
        }
        for entity in draft.entities {
            for base in entity.declaration.extends {
                let reference = draft.reference(to: base.value)
                if !reference.isKnown { report.add(message(base, meaning: reference.entity, in: draft)) }
            }
        }
    }

    private static func message(
        _ name: Located<String>, meaning meant: DraftEntity?, in draft: Draft
    ) -> Diagnostic {
        let isType = draft.types.type(named: name.value) != nil
        return Diagnostic(
            .unknownEntity, at: name.range,
            message: isType
                ? "'\(name.value)' is a type, not an entity" : "There is no entity '\(name.value.shortened)'",
            remedy: isType
                ? "Make it an attribute, under 'attributes:'."
                : meant.map { "Did you mean '\($0.name)'?" } ?? "Declare it under 'entities:', or use another one.")
    }

    static let entry = CatalogueEntry(
        code: .unknownEntity,
        title: "Unknown entity",
        explanation: "Relationships and `extends:` must refer to entities of the same schema.",
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Review:
                attributes: { id: int }
                relationships: { product: Prodct? }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
            """)
}

extension DiagnosticCode {
    /// An entity that the schema does not have.
    package static let unknownEntity = DiagnosticCode(rawValue: "unknown-entity")
}
