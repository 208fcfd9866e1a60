/// An identity must consist of stored values with an intuitive comparison: no lists, no JSON, no bytes, nothing
/// transient.
enum UnsuitableIdentity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            let parts = entity.identity.keyAttributes + [entity.identity.remoteAttribute].compactMap(\.self)
            for attribute in parts {
                if let reason = attribute.unsuitability { report.add(message(attribute, reason: reason, in: entity)) }
            }
        }
    }

    private static func message(_ attribute: DraftAttribute, reason: String, in entity: DraftEntity) -> Diagnostic {
        Diagnostic(
            .unsuitableIdentity, at: attribute.declaration.typeName.range,
            message: "'\(attribute.name)' cannot be the identity of '\(entity.name)': it is \(reason)",
            remedy: "Use another attribute with 'identity:', or write 'identity: none'.",
            notes: entity.identity.declaration.map { [Diagnostic.Note("The identity is set here", at: $0.range)] }
                ?? [])
    }

    static let entry = CatalogueEntry(
        code: .unsuitableIdentity,
        title: "Unsuitable identity",
        explanation: """
            An identity is a primary key in SQL and part of paths on a server. Lists, `json`, `data` and attributes \
            that are not stored cannot be an identity.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                identity: tags
                attributes: { tags: [string] }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                identity: name
                attributes: { name: string, tags: [string] }
            """)
}

extension DraftAttribute {
    /// Why SQL cannot sort and find by it; `nil` if it can.
    var unsuitability: String? {
        if isTransient { return "transient, and not stored" }
        if isAttachment { return "an attachment" }
        if isList { return "a list" }
        if isJSON { return "JSON" }
        return storedScalar == .data ? "data" : nil
    }
}

extension DiagnosticCode {
    /// An identity of an unsuitable type.
    package static let unsuitableIdentity = DiagnosticCode(rawValue: "unsuitable-identity")
}
