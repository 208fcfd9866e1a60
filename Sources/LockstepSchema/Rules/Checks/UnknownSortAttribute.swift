/// A to-many must be sorted by attributes of its destination.
enum UnknownSortAttribute: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for relationship in draft.relationships {
            guard let destination = relationship.destination, relationship.declaration.isToMany,
                !destination.isIncomplete
            else { continue }
            for key in relationship.declaration.sortedBy where destination.attributesByName[key.value.attribute] == nil
            {
                report.add(message(key, in: destination))
            }
        }
    }

    private static func message(_ key: Located<Relationship.SortKey>, in destination: DraftEntity) -> Diagnostic {
        let name = key.value.attribute
        let isRelationship = destination.relationships.contains { $0.name == name }
        return Diagnostic(
            .unknownSortAttribute, at: key.range,
            message: isRelationship
                ? "'\(name)' is a relationship of '\(destination.name)', but records are sorted by attributes"
                : "'\(destination.name)' has no attribute '\(name.shortened)' to sort by",
            remedy: .didYouMean(
                name, among: destination.attributes.map(\.name), else: "Use an attribute of '\(destination.name)'."),
            notes: [Diagnostic.Note("'\(destination.name)' is declared here", at: destination.declaration.name.range)])
    }

    static let entry = CatalogueEntry(
        code: .unknownSortAttribute,
        title: "Unknown sort attribute",
        explanation: """
            `sortedBy:` lists attributes of the relationship's destination. A minus sign before a name sorts in \
            descending order: `-createdAt`.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], sortedBy: createdAt } }
              Review:
                attributes: { id: int, writtenAt: date }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], sortedBy: writtenAt } }
              Review:
                attributes: { id: int, writtenAt: date }
            """)
}

extension DiagnosticCode {
    /// A sort key that is not an attribute of the destination.
    package static let unknownSortAttribute = DiagnosticCode(rawValue: "unknown-sort-attribute")
}
