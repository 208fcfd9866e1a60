/// An access path follows relationships, and ends at an attribute that holds a user.
enum BadAccessPath: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        guard !draft.hasCustomAccess else { return }
        for entity in draft.syncedEntities where !entity.isIncomplete && entity.recordScope != nil {
            let access = entity.accessDeclaration?.value
            for rule in [access?.read, access?.write] {
                guard case .paths(let texts)? = rule?.value else { continue }
                for text in texts {
                    let path = DraftAccessPath(text, from: entity, in: draft)
                    if let problem = path.problem, let finding = finding(problem, at: path.text) { report.add(finding) }
                }
            }
        }
    }

    private static func finding(_ problem: DraftAccessPath.Problem, at path: Located<String>) -> Diagnostic? {
        let text = path.value.shortened
        switch problem {
        case .elsewhere: return nil
        case .empty:
            return message(
                path, reason: "a part of '\(text)' is empty",
                remedy: "Write an attribute that holds the user, or a path to one, such as 'members.user'.")
        case .unknown(let name, in: let entity, isLast: let isLast):
            return unknown(name, in: entity, isLast: isLast, path: path)
        case .attributeInside(let attribute, in: let entity):
            return message(
                path, reason: "'\(attribute.name)' of '\(entity.name)' is an attribute, and only the last part is one",
                remedy: "End the path at '\(attribute.name)', or follow a relationship.", declared: attribute)
        case .relationshipAtEnd(let link):
            return message(
                path, reason: "'\(link.name)' is a relationship, and the last part is an attribute",
                remedy: "Add the attribute of '\(link.destination?.name ?? "")' that holds the user: '\(text).user'.",
                link: link)
        case .unsuitable(let attribute, reason: let reason):
            return message(
                path, reason: "'\(attribute.name)' cannot hold a user: it \(reason)", remedy: DraftAttribute.userRemedy,
                declared: attribute)
        case .onDevice(let link):
            return message(
                path,
                reason: "'\(link.name)' leads to '\(link.destination?.name ?? "")', whose records stay on the device",
                remedy: "Use a path over records that are sent.", link: link)
        case .notSent(let link):
            return message(
                path, reason: "'\(link.name)' is not sent at either end",
                remedy: "Set 'wire: \(link.isToMany ? "ids" : "id")' for it, or for its inverse.", link: link)
        }
    }

    private static func unknown(
        _ name: String, in entity: DraftEntity, isLast: Bool, path: Located<String>
    ) -> Diagnostic {
        let attributes = entity.attributes.map(\.name)
        let names = isLast ? attributes : entity.links.map(\.name)
        let isKeyword = path.value == "none" || path.value == "everyone"
        return message(
            path, reason: "'\(entity.name)' has no \(isLast ? "attribute" : "relationship") '\(name.shortened)'",
            remedy: isKeyword
                ? "Write '\(path.value)' by itself, not in a list."
                : .didYouMean(
                    name, among: names,
                    else: isLast
                        ? "Use the attribute of '\(entity.name)' that holds the user, or declare one."
                        : "Use a relationship of '\(entity.name)', or declare one."))
    }

    private static func message(_ path: Located<String>, reason: String, remedy: String) -> Diagnostic {
        Diagnostic(
            .badAccessPath, at: path.range, message: "This is not a path to a user: \(reason)", remedy: remedy)
    }

    private static func message(
        _ path: Located<String>, reason: String, remedy: String, declared attribute: DraftAttribute
    ) -> Diagnostic {
        var diagnostic = message(path, reason: reason, remedy: remedy)
        let range = attribute.declaration.name.range
        diagnostic.notes = [Diagnostic.Note("'\(attribute.name)' is declared here", at: range)]
        return diagnostic
    }

    private static func message(
        _ path: Located<String>, reason: String, remedy: String, link: Link
    ) -> Diagnostic {
        var diagnostic = message(path, reason: reason, remedy: remedy)
        diagnostic.notes = [Diagnostic.Note("'\(link.name)' is declared here", at: link.range)]
        return diagnostic
    }

    static let entry = CatalogueEntry(
        code: .badAccessPath,
        title: "Invalid access path",
        explanation: """
            The paths of `access:` begin at a record, follow relationships, each of the entity to which the one before \
            leads, and end at an attribute that holds a user: a `string`, a `uuid` or an integer. Everything on the way \
            is sent, so that a server knows it.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: self
                access: { read: [owner, members], write: owner }
                attributes: { id: uuid, owner: uuid }
                relationships: { members: { to: [Member], inverse: list } }
              Member:
                scope: list
                attributes: { id: uuid, user: uuid }
                relationships: { list: { to: List, inverse: members } }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: self
                access: { read: [owner, members.user], write: owner }
                attributes: { id: uuid, owner: uuid }
                relationships: { members: { to: [Member], inverse: list } }
              Member:
                scope: list
                attributes: { id: uuid, user: uuid }
                relationships: { list: { to: List, inverse: members } }
            """)
}

extension DiagnosticCode {
    /// An access path that does not lead to a user.
    package static let badAccessPath = DiagnosticCode(rawValue: "bad-access-path")
}
