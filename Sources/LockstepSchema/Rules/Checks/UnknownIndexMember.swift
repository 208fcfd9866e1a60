/// An index must be over attributes, or over the keys of to-one relationships.
enum UnknownIndexMember: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isIncomplete {
            for member in entity.declaration.indexes.flatMap(\.members) {
                let isKnown =
                    entity.attributesByName[member.value] != nil
                    || entity.relationships.contains { $0.name == member.value }
                    || entity.linksByName[member.value] != nil
                if !isKnown { report.add(message(member, in: entity)) }
            }
        }
    }

    private static func message(_ member: Located<String>, in entity: DraftEntity) -> Diagnostic {
        Diagnostic(
            .unknownIndexMember, at: member.range,
            message: "'\(entity.name)' has no attribute or relationship '\(member.value.shortened)' to index",
            remedy: .didYouMean(
                member.value, among: entity.memberNames,
                else: "Use attributes or to-one relationships of '\(entity.name)'."))
    }

    static let entry = CatalogueEntry(
        code: .unknownIndexMember,
        title: "Unknown index member",
        explanation: """
            `indexes:` lists attributes of the entity, and to-one relationships, which stand for their foreign keys.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string, writtenAt: date }
                indexes: [[titel, writtenAt]]
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string, writtenAt: date }
                indexes: [[title, writtenAt]]
            """)
}

extension DiagnosticCode {
    /// An index over something that the entity does not have.
    package static let unknownIndexMember = DiagnosticCode(rawValue: "unknown-index-member")
}
