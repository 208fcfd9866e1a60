/// On a server that is made from the schema, every record belongs to something.
enum MissingScope: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        guard draft.hasScopes else { return }
        let notes = [reason(in: draft)].compactMap(\.self)
        for entity in draft.syncedEntities where entity.scopeDeclaration == nil && !entity.isIncomplete {
            report.add(
                Diagnostic(
                    .missingScope, at: entity.declaration.name.range,
                    message: "'\(entity.name)' has no scope, so a server does not know who reads its records",
                    remedy: "Write \(choices(for: entity)), or 'remote: none' if its records stay on the device.",
                    notes: notes))
        }
    }

    private static func reason(in draft: Draft) -> Diagnostic.Note? {
        if let server = draft.declaration.server { return Diagnostic.Note("The server is set here", at: server.range) }
        let other = draft.syncedEntities.first { $0.scopeDeclaration != nil }
        return other.flatMap { entity in
            entity.scopeDeclaration.map { Diagnostic.Note("'\(entity.name)' has a scope here", at: $0.range) }
        }
    }

    private static func choices(for entity: DraftEntity) -> String {
        let owner = entity.links.first { !$0.isOptional && $0.storage == .foreignKey && $0.destination?.remote != nil }
        let member = owner.map { "'scope: \($0.name)'" } ?? "'scope:' with the attribute that holds the user"
        return "\(member), 'scope: self', 'scope: public'"
    }

    static let entry = CatalogueEntry(
        code: .missingScope,
        title: "Missing scope",
        explanation: """
            If an entity has a scope, or the schema has a `server:`, a server is made from the schema. It shows a \
            record to the users of the scope that the record belongs to, so each entity whose records are sent has one: \
            an attribute that holds the user, a to-one relationship, `self` or `public`.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                attributes: { id: uuid, owner: uuid }
              Item:
                attributes: { id: uuid, text: string }
                relationships: { list: List }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                attributes: { id: uuid, owner: uuid }
              Item:
                scope: list
                attributes: { id: uuid, text: string }
                relationships: { list: List }
            """)
}

extension DiagnosticCode {
    /// A synced entity without scope, in a schema with scopes.
    package static let missingScope = DiagnosticCode(rawValue: "missing-scope")
}
