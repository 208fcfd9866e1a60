/// `renamedFrom` is a former name, so that a migration keeps what had it. It cannot be a name that still exists, and
/// only one declaration can have it.
enum RenamedFromExisting: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            if entity.attributes.contains(where: { $0.declaration.renamedFrom != nil }) {
                check(
                    entity.attributes.map {
                        Named("attribute", name: $0.declaration.name, former: $0.declaration.renamedFrom)
                    },
                    into: &report)
            }
            check(
                entity.ownRelationships.map {
                    Named("relationship", name: $0.declaration.name, former: $0.declaration.renamedFrom)
                },
                into: &report)
        }
        check(
            draft.entities.map { Named("entity", name: $0.declaration.name, former: $0.declaration.renamedFrom) },
            into: &report)
        for enumeration in draft.declaration.enumerations {
            check(enumeration.cases.map { Named("case", name: $0.name, former: $0.renamedFrom) }, into: &report)
        }
    }

    private struct Named {
        let noun: String
        let name: Located<String>
        let former: Located<String>?

        init(_ noun: String, name: Located<String>, former: Located<String>?) {
            self.noun = noun
            self.name = name
            self.former = former
        }
    }

    private static func check(_ declarations: [Named], into report: inout Report) {
        guard declarations.contains(where: { $0.former != nil }) else { return }
        let names = Dictionary(declarations.map { ($0.name.value, $0.name) }, uniquingKeysWith: { first, _ in first })
        var takers: [String: Located<String>] = [:]
        for declaration in declarations {
            guard let former = declaration.former else { continue }
            if let existing = names[former.value] {
                report.add(message(former, renamed: declaration, existing: existing))
            } else if let first = takers[former.value] {
                report.add(message(former, renamed: declaration, first: first))
            } else {
                takers[former.value] = former
            }
        }
    }

    private static func message(_ former: Located<String>, renamed: Named, existing: Located<String>) -> Diagnostic {
        Diagnostic(
            .renamedFromExisting, at: former.range,
            message: "'\(renamed.name.value)' cannot be renamed from '\(former.value)', which still exists",
            remedy: "Remove 'renamedFrom:', or the \(renamed.noun) '\(former.value)'.",
            notes: [Diagnostic.Note("'\(former.value)' is declared here", at: existing.range)])
    }

    private static func message(_ former: Located<String>, renamed: Named, first: Located<String>) -> Diagnostic {
        Diagnostic(
            .renamedFromExisting, at: former.range,
            message: "'\(renamed.name.value)' is renamed from '\(former.value)', and so is another \(renamed.noun)",
            remedy: "Remove one of the two 'renamedFrom:'.",
            notes: [Diagnostic.Note("The other is here", at: first.range)])
    }

    static let entry = CatalogueEntry(
        code: .renamedFromExisting,
        title: "Renamed from something that exists",
        explanation: """
            `renamedFrom:` is the former name of one attribute, relationship, entity or case. No other can still have \
            that name, or be renamed from it.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, code: string, sku: { type: string, renamedFrom: code } }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, sku: { type: string, renamedFrom: code } }
            """)
}

extension DiagnosticCode {
    /// A former name that is still in use.
    package static let renamedFromExisting = DiagnosticCode(rawValue: "renamed-from-existing")
}
