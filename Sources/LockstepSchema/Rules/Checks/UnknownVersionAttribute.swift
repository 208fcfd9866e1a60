/// A version must be one of the entity's attributes.
enum UnknownVersionAttribute: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isIncomplete {
            guard let version = entity.declaration.version, entity.attributesByName[version.value] == nil else {
                continue
            }
            report.add(message(version, in: entity))
        }
    }

    private static func message(_ name: Located<String>, in entity: DraftEntity) -> Diagnostic {
        let relationship = entity.relationships.first { $0.name == name.value }
        let destination = relationship?.declaration.isToMany == true ? "to-many" : "to-one"
        return Diagnostic(
            .unknownVersionAttribute, at: name.range,
            message: relationship != nil
                ? "'\(name.value)' is a \(destination) relationship, but a version must be an attribute"
                : "'\(entity.name)' has no attribute '\(name.value.shortened)' for its version",
            remedy: .didYouMean(
                name.value, among: entity.attributes.map(\.name),
                else: "Use an attribute of '\(entity.name)', or declare one: 'lockVersion: int?'."))
    }

    static let entry = CatalogueEntry(
        code: .unknownVersionAttribute,
        title: "Unknown version attribute",
        explanation: """
            `version:` is the attribute that the server changes with each write to a record. It is sent with each \
            update and delete.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                version: lockVersion
                attributes: { id: uuid, lock_version: int? }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                version: lockVersion
                attributes: { id: uuid, lockVersion: int? }
            """)
}

extension DiagnosticCode {
    /// A version with a name that is not an attribute.
    package static let unknownVersionAttribute = DiagnosticCode(rawValue: "unknown-version-attribute")
}
