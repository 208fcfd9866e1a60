/// What is sorted by or indexed is stored here, and compares as one expects.
enum UnsuitableMember: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for relationship in draft.relationships where relationship.declaration.isToMany {
            guard let destination = relationship.destination else { continue }
            for key in relationship.declaration.sortedBy {
                if let reason = destination.attributesByName[key.value.attribute]?.unsuitability {
                    report.add(message("Records cannot be sorted by", key.value.attribute, key.range, reason))
                }
            }
        }
        for entity in draft.entities where !entity.isAbstract {
            for member in draft.declaredIndexes(of: entity).flatMap(\.members) {
                if let reason = reason(member.value, in: entity) {
                    report.add(message("An index cannot be over", member.value, member.range, reason))
                }
            }
        }
    }

    private static func reason(_ member: String, in entity: DraftEntity) -> String? {
        if let attribute = entity.attributesByName[member] { return attribute.unsuitability }
        guard let link = entity.linksByName[member] else { return nil }
        if link.isToMany { return "a relationship to many" }
        return link.storage == .inverseForeignKey ? "kept at the other end, '\(link.destination?.name ?? "")'" : nil
    }

    private static func message(_ start: String, _ name: String, _ range: SourceRange, _ reason: String) -> Diagnostic {
        Diagnostic(
            .unsuitableMember, at: range, "\(start) '\(name)': it is \(reason)",
            remedy: "Remove it, or name a stored attribute of a simple type.")
    }

    static let entry = CatalogueEntry(
        code: .unsuitableMember,
        title: "Member that cannot be sorted by or indexed",
        explanation: """
            `sortedBy:` and `indexes:` are for stored attributes that are no list, no `json` and no `data`. In \
            `indexes:` a relationship to one that keeps its foreign key in this table may be named too.
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
    /// A member that SQL cannot order by or index.
    public static let unsuitableMember = DiagnosticCode(rawValue: "unsuitable-member")
}
