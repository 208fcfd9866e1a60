/// Only abstract entities can be extended: a concrete one has its own records and table.
enum ExtendsConcrete: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where entity.extendsProblem != .loop {
            for base in entity.declaration.extends {
                guard let concrete = draft.entitiesByName[base.value], !concrete.isAbstract,
                    !concrete.declaration.isIncomplete
                else { continue }
                report.add(
                    Diagnostic(
                        .extendsConcrete, at: base.range,
                        message: "'\(entity.name)' extends '\(concrete.name)', which is not abstract",
                        remedy:
                            "Write 'abstract: true' in '\(concrete.name)', or move their common members to an "
                            + "abstract entity.",
                        notes: [
                            Diagnostic.Note("'\(concrete.name)' is declared here", at: concrete.declaration.name.range)
                        ]))
            }
        }
    }

    static let entry = CatalogueEntry(
        code: .extendsConcrete,
        title: "Extends a concrete entity",
        explanation: """
            `extends:` lists entities with `abstract: true`. Their attributes and relationships become members of the \
            entity, and a protocol describes what such entities have in common.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                attributes: { id: uuid }
              Entry:
                extends: Item
                attributes: { title: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                attributes: { id: uuid }
              Entry:
                extends: Item
                attributes: { title: string }
            """)
}

extension DiagnosticCode {
    /// An entity that extends one with records.
    package static let extendsConcrete = DiagnosticCode(rawValue: "extends-concrete")
}
