/// Members that are sorted by or indexed must be stored, and have an intuitive comparison.
enum UnsuitableMember: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for relationship in draft.relationships where relationship.declaration.isToMany {
            guard let destination = relationship.destination else { continue }
            for key in relationship.declaration.sortedBy {
                if let reason = destination.attributesByName[key.value.attribute]?.unsuitability {
                    report.add(
                        message("Records cannot be sorted by", name: key.value.attribute, at: key.range, reason: reason)
                    )
                }
            }
        }
        for entity in draft.entities where !entity.isAbstract {
            for member in draft.declaredIndexes(of: entity).flatMap(\.members) {
                if let reason = reason(member.value, in: entity) {
                    report.add(message("An index cannot be over", name: member.value, at: member.range, reason: reason))
                }
            }
        }
    }

    private static func reason(_ member: String, in entity: DraftEntity) -> String? {
        if let attribute = entity.attributesByName[member] { return attribute.unsuitability }
        guard let link = entity.linksByName[member] else { return nil }
        if link.isToMany { return "a to-many relationship" }
        switch link.storage {
        case .inverseForeignKey: return "stored at the other end, '\(link.destination?.name ?? "")'"
        case .joinTable: return "stored in a table of its own"
        case .foreignKey, nil: return nil
        }
    }

    private static func message(_ start: String, name: String, at range: TextRange, reason: String) -> Diagnostic {
        Diagnostic(
            .unsuitableMember, at: range, message: "\(start) '\(name)': it is \(reason)",
            remedy: "Remove it, or use a stored attribute of a simple type.")
    }

    static let entry = CatalogueEntry(
        code: .unsuitableMember,
        title: "Member cannot be sorted by or indexed",
        explanation: """
            `sortedBy:` and `indexes:` are for stored attributes, except lists, `json` and `data`. `indexes:` can also \
            list a to-one relationship whose foreign key is in this table.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, tags: [string], writtenAt: date }
                indexes: [[tags, writtenAt]]
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, tags: [string], writtenAt: date }
                indexes: [[writtenAt]]
            """)
}

extension DiagnosticCode {
    /// A member that SQL cannot sort by or index.
    package static let unsuitableMember = DiagnosticCode(rawValue: "unsuitable-member")
}
