/// An identity must consist of the entity's attributes.
enum UnknownIdentityAttribute: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isIncomplete {
            guard let identity = entity.identity.declaration else { continue }
            for name in identity.value.names where entity.attributesByName[name.value] == nil {
                report.add(message(name, in: entity))
            }
        }
    }

    private static func message(_ name: Located<String>, in entity: DraftEntity) -> Diagnostic {
        let isRelationship = entity.relationships.contains { $0.name == name.value }
        return Diagnostic(
            .unknownIdentityAttribute, at: name.range,
            message: isRelationship
                ? "'\(name.value)' is a relationship, but an identity consists of attributes"
                : "'\(entity.name)' has no attribute '\(name.value.shortened)' for its identity",
            remedy: .didYouMean(
                name.value, among: entity.attributes.map(\.name),
                else: "Use attributes of '\(entity.name)', or write 'identity: none'."))
    }

    static let entry = CatalogueEntry(
        code: .unknownIdentityAttribute,
        title: "Unknown identity attribute",
        explanation: """
            `identity:` is the attribute, or the combination of attributes, that identifies a record on every device \
            and on the server.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                identity: identifer
                attributes: { identifier: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                identity: identifier
                attributes: { identifier: uuid }
            """)
}

extension IdentityDeclaration {
    /// Every attribute that it names.
    var names: [Located<String>] {
        switch self {
        case .none: []
        case .attributes(let names): names
        case .local(let local, let remote): [local, remote]
        }
    }
}

extension DiagnosticCode {
    /// An identity with a name that is not an attribute.
    package static let unknownIdentityAttribute = DiagnosticCode(rawValue: "unknown-identity-attribute")
}
