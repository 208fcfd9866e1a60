/// A scope is a keyword or a member of the entity.
enum UnknownScope: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isIncomplete && (entity.isAbstract || entity.remote != nil) {
            guard let scope = entity.scopeDeclaration, case .member(let name) = scope.value else { continue }
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.links.map(\.name)
            guard !names.contains(name) else { continue }
            report.add(
                Diagnostic(
                    .unknownScope, at: scope.range,
                    message: "'\(entity.name)' has no attribute or relationship '\(name.shortened)' for its scope",
                    remedy: .didYouMean(
                        name, among: ["self", "public"] + names,
                        else: "Write 'self', 'public', or the name of an attribute that holds the user or of a "
                            + "required to-one relationship.")))
        }
    }

    static let entry = CatalogueEntry(
        code: .unknownScope,
        title: "Unknown scope",
        explanation: """
            `scope:` is the attribute that holds the user to whom a record belongs, the to-one relationship to the \
            record whose scope it shares, `self` for a scope of its own, or `public`.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: owner
                attributes: { id: uuid, ownerID: uuid }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: ownerID
                attributes: { id: uuid, ownerID: uuid }
            """)
}

extension DiagnosticCode {
    /// A scope with a name that is not a member.
    package static let unknownScope = DiagnosticCode(rawValue: "unknown-scope")
}
