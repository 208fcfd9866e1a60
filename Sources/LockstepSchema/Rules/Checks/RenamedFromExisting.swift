/// `renamedFrom` is the former name of an attribute, so that a migration keeps its values. It cannot be the name of an
/// existing attribute, and only one attribute can have the values.
enum RenamedFromExisting: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            var takers: [String: Located<String>] = [:]
            for attribute in entity.attributes {
                guard let former = attribute.declaration.renamedFrom else { continue }
                if let existing = entity.attributesByName[former.value] {
                    report.add(message(former, attribute, existing: existing))
                } else if let first = takers[former.value] {
                    report.add(message(former, attribute, first: first))
                } else {
                    takers[former.value] = former
                }
            }
        }
    }

    private static func message(
        _ former: Located<String>, _ attribute: DraftAttribute, existing: DraftAttribute
    ) -> Diagnostic {
        Diagnostic(
            .renamedFromExisting, at: former.range,
            "'\(attribute.name)' cannot be renamed from '\(former.value)', which still exists",
            remedy: "Remove 'renamedFrom:', or the attribute '\(former.value)'.",
            notes: [Diagnostic.Note("'\(former.value)' is declared here", at: existing.declaration.name.range)])
    }

    private static func message(
        _ former: Located<String>, _ attribute: DraftAttribute, first: Located<String>
    ) -> Diagnostic {
        Diagnostic(
            .renamedFromExisting, at: former.range,
            "'\(attribute.name)' is renamed from '\(former.value)', and so is another attribute",
            remedy: "Remove one of the two 'renamedFrom:'.",
            notes: [Diagnostic.Note("The other is here", at: first.range)])
    }

    static let entry = CatalogueEntry(
        code: .renamedFromExisting,
        title: "Renamed from an existing attribute",
        explanation: """
            `renamedFrom:` is the former name of one attribute. No other attribute can still have that name, or be \
            renamed from it.
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
    public static let renamedFromExisting = DiagnosticCode(rawValue: "renamed-from-existing")
}
