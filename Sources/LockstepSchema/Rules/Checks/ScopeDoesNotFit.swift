/// A server that is made from the schema finds a record by the identity that the device assigned, and writes each
/// record by itself, with dates in one of the named formats.
enum ScopeDoesNotFit: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.syncedEntities where !entity.isIncomplete {
            guard let scope = entity.scopeDeclaration else { continue }
            let note = Diagnostic.Note("'\(entity.name)' has a scope here", at: scope.range)
            checkIdentity(of: entity, note: note, into: &report)
            if let version = entity.declaration.version {
                report.add(message(entity, version: version.range, note: note))
            }
            for link in entity.links {
                if link.isEmbedded { report.add(message(link, note: note)) }
                if !link.isToMany, case .joinTable = link.storage { report.add(message(symmetric: link, note: note)) }
            }
            for attribute in entity.attributes { check(attribute, of: entity, draft: draft, note: note, into: &report) }
        }
    }

    // MARK: Identities

    private static func checkIdentity(of entity: DraftEntity, note: Diagnostic.Note, into report: inout Report) {
        switch entity.identity.value {
        case .local:
            report.add(
                message(
                    entity, reason: "its identity cannot be made by the server",
                    remedy: "Let the device assign it: declare 'id: uuid' instead, without 'identity:'.", note: note))
        case .some(.none):
            report.add(
                message(
                    entity, reason: "its records need an identity", remedy: "Add an attribute 'id: uuid'.", note: note))
        case .attributes(let names):
            for attribute in entity.attributes where names.contains(attribute.name) && !attribute.canBeKeyOnServer {
                report.add(message(entity, key: attribute, note: note))
            }
            guard names.count > 1, case .own = entity.recordScope else { return }
            report.add(
                message(
                    entity, reason: "as each record is one, its identity must be a single attribute",
                    remedy: "Declare 'id: uuid' instead, and "
                        + "'indexes: [{ on: [\(names.joined(separator: ", "))], unique: true }]'.", note: note))
        case nil: break
        }
    }

    private static func message(
        _ entity: DraftEntity, reason: String, remedy: String, note: Diagnostic.Note
    ) -> Diagnostic {
        Diagnostic(
            .scopeDoesNotFit, at: entity.identity.declaration?.range ?? entity.declaration.name.range,
            message: "'\(entity.name)' has a scope, so \(reason)", remedy: remedy, notes: [note])
    }

    private static func message(
        _ entity: DraftEntity, key attribute: DraftAttribute, note: Diagnostic.Note
    ) -> Diagnostic {
        Diagnostic(
            .scopeDoesNotFit, at: entity.identity.declaration?.range ?? entity.declaration.name.range,
            message:
                "'\(entity.name)' has a scope, so '\(attribute.name)' cannot identify its records: it is no 'string', "
                + "'uuid' or integer",
            remedy: "Declare 'id: uuid' instead.", notes: [note])
    }

    private static func message(_ entity: DraftEntity, version range: TextRange, note: Diagnostic.Note) -> Diagnostic {
        Diagnostic(
            .scopeDoesNotFit, at: range,
            message: "'\(entity.name)' has a scope, so it needs no version: the server counts those of each record",
            remedy: "Remove 'version:'. The attribute can stay.", notes: [note])
    }

    // MARK: Members

    private static func message(symmetric link: Link, note: Diagnostic.Note) -> Diagnostic {
        Diagnostic(
            .scopeDoesNotFit, at: link.range,
            message: "'\(link.owner.name)' has a scope, so the to-one '\(link.name)' cannot be its own inverse",
            remedy: "Declare an inverse of another name.", notes: [note])
    }

    private static func message(_ link: Link, note: Diagnostic.Note) -> Diagnostic {
        Diagnostic(
            .scopeDoesNotFit, at: link.declaration?.wire?.range ?? link.range,
            message: "'\(link.owner.name)' has a scope, so '\(link.name)' cannot be embedded: "
                + "each record is sent by itself",
            remedy: remedy(for: link), notes: [note])
    }

    private static func remedy(for link: Link) -> String {
        switch link.storage {
        case .foreignKey: return "Set 'wire: id'."
        case .joinTable: return "Set 'wire: \(link.isToMany ? "ids" : "id")', or 'wire: none' if the other end is sent."
        case .inverseForeignKey, nil: break
        }
        guard link.isToMany, let inverse = link.inverse, inverse.isImplied else { return "Set 'wire: none'." }
        let declaration =
            "declare '\(inverse.name): \(link.owner.name)?' in '\(inverse.owner.name)', "
            + "and 'inverse: \(inverse.name)' here."
        return link.declaration?.wire == nil
            ? declaration.prefix(1).uppercased() + declaration.dropFirst() : "Set 'wire: none', " + declaration
    }

    private static func check(
        _ attribute: DraftAttribute, of entity: DraftEntity, draft: Draft, note: Diagnostic.Note,
        into report: inout Report
    ) {
        guard attribute.storedScalar == .date, case .date(.pattern) = attribute.wire?.format else { return }
        let range = attribute.declaration.wire?.range ?? draft.declaration.wire?.dates?.range
        report.add(
            Diagnostic(
                .scopeDoesNotFit, at: range ?? attribute.declaration.name.range,
                message: "'\(entity.name)' has a scope, so '\(attribute.name)' cannot be sent by a date pattern",
                remedy: "Use a named format, such as 'iso8601'.", notes: [note]))
    }

    static let entry = CatalogueEntry(
        code: .scopeDoesNotFit,
        title: "Form that does not fit a scope",
        explanation: """
            A server that is made from the schema stores and sends each record by itself. So the device assigns the \
            identity of an entity with a scope (a single attribute if the scope is `self`), relationships are sent as \
            `id` or `ids` and not `embedded`, and dates have one of the named formats.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: int?, owner: uuid }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                attributes: { id: uuid, owner: uuid }
            """)
}

extension DiagnosticCode {
    /// Something that a server made from the schema cannot store or send.
    package static let scopeDoesNotFit = DiagnosticCode(rawValue: "scope-does-not-fit")
}
