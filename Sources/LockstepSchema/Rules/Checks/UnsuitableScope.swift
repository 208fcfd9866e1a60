/// Every record belongs to one scope, which a server finds by what it is sent: by a required attribute that holds a
/// user, or by the key of a required to-one relationship. These cannot lead around in a circle: `RequiredCycle`.
enum UnsuitableScope: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.concreteEntities where !entity.isIncomplete {
            guard let scope = entity.scopeDeclaration else { continue }
            if entity.remote == nil {
                report.add(
                    Diagnostic(
                        .unsuitableScope, at: scope.range,
                        message: "'\(entity.name)' cannot have a scope: its records stay on the device",
                        remedy: "Remove 'scope:'."))
            }
            switch entity.recordScope {
            case .attribute(let attribute):
                check(attribute, of: entity, scope: scope.range, draft: draft, into: &report)
            case .relationship(let link): check(link, scope: scope.range, into: &report)
            case .own, .everyone, nil: break
            }
        }
    }

    private static func check(
        _ attribute: DraftAttribute, of entity: DraftEntity, scope: TextRange, draft: Draft, into report: inout Report
    ) {
        guard !attribute.isUnreadable else { return }
        let unsuitability = attribute.unsuitabilityAsUser(in: entity, draft: draft)
        guard let reason = unsuitability ?? (attribute.isOptional ? "is optional" : nil) else { return }
        report.add(
            message(
                attribute.name, of: entity, at: scope, reason: reason,
                remedy: unsuitability == nil
                    ? "Make it required: '\(attribute.name): \(attribute.typeText.dropLast())'."
                    : DraftAttribute.userRemedy,
                declared: attribute.declaration.name.range))
    }

    private static func check(_ link: Link, scope: TextRange, into report: inout Report) {
        guard let (reason, remedy) = unsuitability(of: link) else { return }
        report.add(
            message(link.name, of: link.owner, at: scope, reason: reason, remedy: remedy, declared: link.range))
    }

    private static func unsuitability(of link: Link) -> (reason: String, remedy: String)? {
        guard let destination = link.destination, let storage = link.storage else { return nil }
        let other = "Use a required to-one relationship, or an attribute that holds the user."
        if link.isToMany { return ("is a to-many relationship, and a record has one scope", other) }
        switch storage {
        case .joinTable: return ("is stored in a table of its own", other)
        case .inverseForeignKey: return ("is stored at the other end, '\(destination.name)'", other)
        case .foreignKey: break
        }
        if destination.remote == nil {
            return ("leads to '\(destination.name)', whose records stay on the device", other)
        }
        if link.isOptional { return ("is optional", "Make it required: '\(link.name): \(destination.name)'.") }
        return link.wire == .none ? ("is not sent", "Remove 'wire: none'.") : nil
    }

    private static func message(
        _ name: String, of entity: DraftEntity, at range: TextRange, reason: String, remedy: String,
        declared: TextRange
    ) -> Diagnostic {
        Diagnostic(
            .unsuitableScope, at: range,
            message: "'\(name)' cannot be the scope of '\(entity.name)': it \(reason)", remedy: remedy,
            notes: [Diagnostic.Note("'\(name)' is declared here", at: declared)])
    }

    static let entry = CatalogueEntry(
        code: .unsuitableScope,
        title: "Unsuitable scope",
        explanation: """
            A record belongs to one scope, and a server must know it from what it is sent. So an attribute holds a \
            user (a `string`, a `uuid` or an integer) and is required, and a relationship is to-one, required, and \
            holds the key of its destination, whose records are sent too. Records that stay on the device have no scope.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                attributes: { id: uuid, owner: uuid? }
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
    /// A scope that not every record has, or that a server does not know.
    package static let unsuitableScope = DiagnosticCode(rawValue: "unsuitable-scope")
}
