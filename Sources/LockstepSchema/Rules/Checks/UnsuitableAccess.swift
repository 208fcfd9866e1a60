/// `access:` must have an effect: the entity has a scope, a key is not about the scope of another entity, and functions
/// of the server do not decide.
enum UnsuitableAccess: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.concreteEntities where !entity.isIncomplete {
            guard let access = entity.accessDeclaration else { continue }
            if entity.remote == nil {
                report.add(
                    Diagnostic(
                        .unsuitableAccess, at: access.range,
                        message: "'\(entity.name)' cannot have 'access:': its records stay on the device",
                        remedy: "Remove it."))
            } else if draft.hasCustomAccess {
                report.add(message(at: access.range, custom: draft.declaration.server?.value.access?.range))
            } else if entity.scopeDeclaration == nil {
                // If others have one, that is reported as missing.
                if !draft.hasScopes { report.add(messageScope(entity, at: access.range)) }
            } else {
                checkScope(of: entity, access: access.value, into: &report)
            }
        }
    }

    private static func checkScope(of entity: DraftEntity, access: AccessDeclaration, into report: inout Report) {
        switch entity.recordScope {
        case .relationship(let link):
            if let read = access.read { report.add(message(entity, read: read.range, link: link)) }
        case .attribute(let attribute):
            guard let read = access.read else { return }
            report.add(message(entity, read: read.range, readers: "the user in '\(attribute.name)' does"))
        case .everyone:
            guard let read = access.read else { return }
            report.add(message(entity, read: read.range, readers: "everybody does, with 'scope: public'"))
        case .own:
            for rule in [access.read, access.write] {
                guard let rule, case .everyone = rule.value else { continue }
                report.add(message(entity, everyone: rule.range))
            }
        case nil: break
        }
    }

    private static func message(_ entity: DraftEntity, read range: TextRange, readers: String) -> Diagnostic {
        Diagnostic(
            .unsuitableAccess, at: range, message: "'\(entity.name)' cannot say who reads it: \(readers)",
            remedy: "Remove 'read:', or use 'scope: self' if other users read its records.")
    }

    private static func message(_ entity: DraftEntity, everyone range: TextRange) -> Diagnostic {
        Diagnostic(
            .unsuitableAccess, at: range,
            message: "'\(entity.name)' cannot be everyone's: each of its records is a scope of its own",
            remedy: "Use 'scope: public', and 'write:' for those who write, or write paths to users.")
    }

    private static func message(at range: TextRange, custom: TextRange?) -> Diagnostic {
        Diagnostic(
            .unsuitableAccess, at: range,
            message: "'access:' has no effect: functions of the server say who reads and writes",
            remedy: "Remove it, or remove 'access: custom' from 'server:'.",
            notes: custom.map { [Diagnostic.Note("This is set here", at: $0)] } ?? [])
    }

    private static func messageScope(_ entity: DraftEntity, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .unsuitableAccess, at: range, message: "'\(entity.name)' has 'access:', but no scope",
            remedy: "Add 'scope: self' if each record is read by users of its own, or remove 'access:'.")
    }

    private static func message(_ entity: DraftEntity, read range: TextRange, link: Link) -> Diagnostic {
        let end = end(of: link)
        return Diagnostic(
            .unsuitableAccess, at: range,
            message: "'\(entity.name)' cannot say who reads it: its scope '\(link.name)' does",
            remedy: "Remove 'read:', or set it in '\(end.name)'.",
            notes: end.scopeDeclaration.map { [Diagnostic.Note("'\(end.name)' is the scope here", at: $0.range)] } ?? []
        )
    }

    /// The entity at the end of a scope's path.
    private static func end(of link: Link) -> DraftEntity {
        var entity = link.owner
        var seen: Set<Int> = []
        while case .relationship(let next) = entity.recordScope, let destination = next.destination,
            seen.insert(entity.order).inserted
        {
            entity = destination
        }
        return entity
    }

    static let entry = CatalogueEntry(
        code: .unsuitableAccess,
        title: "Access without effect",
        explanation: """
            `access:` is about the scope of an entity. Only with `scope: self`, it says who reads a record. Otherwise, \
            the user in an attribute reads it, everybody does, or those who read the destination of a relationship, and \
            `write:` restricts who writes. With `server: { access: custom }`, functions of the server decide.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                attributes: { id: uuid, owner: uuid }
              Item:
                scope: list
                access: { read: list.owner }
                attributes: { id: uuid }
                relationships: { list: List }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: self
                access: { read: owner, write: owner }
                attributes: { id: uuid, owner: uuid }
              Item:
                scope: list
                attributes: { id: uuid }
                relationships: { list: List }
            """)
}

extension DiagnosticCode {
    /// An `access:` that changes nothing.
    package static let unsuitableAccess = DiagnosticCode(rawValue: "unsuitable-access")
}
