/// An abstract entity has no records and no table, so nothing can point at one.
enum AbstractDestination: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for relationship in draft.relationships {
            guard let destination = relationship.destination, destination.isAbstract else { continue }
            report.add(
                Diagnostic(
                    .abstractDestination, at: relationship.declaration.destination.range,
                    message: "The destination of '\(relationship.name)', '\(destination.name)', "
                        + "is abstract and has no records",
                    remedy: "Use a concrete entity, with a relationship for each.",
                    notes: [
                        Diagnostic.Note(
                            "'\(destination.name)' is declared here", at: destination.declaration.name.range)
                    ]))
        }
    }

    static let entry = CatalogueEntry(
        code: .abstractDestination,
        title: "Abstract destination",
        explanation: """
            `abstract: true` makes an entity a protocol that others extend. It has no table that a relationship could \
            refer to.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid }
              Entry:
                extends: Item
                relationships: { next: Item? }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid }
              Entry:
                extends: Item
                relationships: { next: Entry? }
            """)
}

extension DiagnosticCode {
    /// A relationship to an abstract entity.
    package static let abstractDestination = DiagnosticCode(rawValue: "abstract-destination")
}
