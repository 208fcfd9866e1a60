/// A destination must have an identity, because foreign keys, join tables and lists of IDs contain it.
enum DestinationWithoutIdentity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard let destination = link.destination, destination.identity.isNone else { continue }
            switch (link.storage, link.wire) {
            case (.foreignKey, _):
                report.add(link.isImplied ? message(owner: destination, link: link) : message(link, to: destination))
            case (.joinTable, _), (.inverseForeignKey, .ids): report.add(message(link, to: destination))
            case (.inverseForeignKey, _), (nil, _): break
            }
        }
    }

    private static func message(_ link: Link, to destination: DraftEntity) -> Diagnostic {
        Diagnostic(
            .destinationWithoutIdentity, at: link.declaration?.destination.range ?? link.range,
            message: "The destination of '\(link.name)', '\(destination.name)', has no identity to refer to",
            remedy: remedy(destination),
            notes: [note(destination)])
    }

    /// The implied other end of a to-many points at its owner.
    private static func message(owner: DraftEntity, link: Link) -> Diagnostic {
        Diagnostic(
            .destinationWithoutIdentity, at: link.range,
            message: "The records in '\(link.inverse?.name ?? "")' could not refer to '\(owner.name)', which "
                + "has no identity",
            remedy: remedy(owner), notes: [note(owner)])
    }

    private static func remedy(_ entity: DraftEntity) -> String {
        "Add an attribute 'id' to '\(entity.name)', or set its identity with 'identity:'."
    }

    private static func note(_ entity: DraftEntity) -> Diagnostic.Note {
        Diagnostic.Note(
            "'\(entity.name)' has no identity", at: entity.identity.declaration?.range ?? entity.declaration.name.range)
    }

    static let entry = CatalogueEntry(
        code: .destinationWithoutIdentity,
        title: "Destination without identity",
        explanation: """
            A foreign key contains the identity of the record that it refers to; a join table contains those of both \
            records. An entity without identity (`identity: none`, or neither `identity:` nor an attribute `id`) can \
            only be at the end with the foreign key, such as the pictures of a product.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { name: string }
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                identity: name
                attributes: { name: string }
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
            """)
}

extension DiagnosticCode {
    /// A relationship to records that cannot be pointed at.
    package static let destinationWithoutIdentity = DiagnosticCode(rawValue: "destination-without-identity")
}
