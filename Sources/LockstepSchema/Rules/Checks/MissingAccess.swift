/// A scope of its own belongs to nobody until `access:` says who reads and writes it, and who makes the first record.
enum MissingAccess: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        guard !draft.hasCustomAccess else { return }
        for entity in draft.syncedEntities where !entity.isIncomplete {
            guard let scope = entity.scopeDeclaration, case .own = scope.value else { continue }
            let access = entity.accessDeclaration?.value
            if access?.read == nil || access?.write == nil {
                let verbs = [access?.read == nil ? "reads" : nil, access?.write == nil ? "writes" : nil]
                report.add(message(entity, scope: scope.range, verbs: verbs.compactMap(\.self)))
            }
            guard let write = access?.write, case .paths(let texts) = write.value else { continue }
            let paths = texts.map { DraftAccessPath($0, from: entity, in: draft) }
            if paths.allSatisfy({ $0.problem == nil && !$0.startsAtNewRecord }) {
                report.add(message(entity, write: write.range, paths: texts.map(\.value)))
            }
        }
    }

    private static func message(_ entity: DraftEntity, scope: TextRange, verbs: [String]) -> Diagnostic {
        let keys = verbs.map { "\($0.dropLast()): owner" }.joined(separator: ", ")
        return Diagnostic(
            .missingAccess, at: scope,
            message: "'\(entity.name)' is a scope of no one: nothing says who \(verbs.joined(separator: " and ")) it",
            remedy: "Add 'access: { \(keys) }', with the attribute that holds the user, or a path to one. "
                + "Or write 'server: { access: custom }' if functions of the server say it.")
    }

    private static func message(_ entity: DraftEntity, write: TextRange, paths: [String]) -> Diagnostic {
        let list = ["owner"] + paths
        return Diagnostic(
            .missingAccess, at: write,
            message: "Nobody can create a first record of '\(entity.name)': "
                + "until it exists, no other record refers to it",
            remedy: "Add an attribute that holds the user: 'write: [\(list.joined(separator: ", "))]'.")
    }

    static let entry = CatalogueEntry(
        code: .missingAccess,
        title: "Scope of no one",
        explanation: """
            With `scope: self`, `access:` says who reads and who writes each record. At least one path for writing has \
            only to-one relationships, or none: a new record has no members yet, so a path over them leads to nobody.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: self
                attributes: { id: uuid, owner: uuid }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              List:
                scope: self
                access: { read: owner, write: owner }
                attributes: { id: uuid, owner: uuid }
            """)
}

extension DiagnosticCode {
    /// A scope that nobody reads or writes.
    package static let missingAccess = DiagnosticCode(rawValue: "missing-access")
}
