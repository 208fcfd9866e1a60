/// `onDelete: nullify` clears the other end, which is not possible for a required relationship.
enum RequiredNullified: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard let rule = link.declaration?.onDelete, rule.value == .nullify, let inverse = link.inverse,
                !inverse.isToMany, !inverse.isOptional
            else { continue }
            report.add(
                Diagnostic(
                    .requiredNullified, at: rule.range,
                    message: "'nullify' would unlink '\(inverse.owner.name).\(inverse.name)', which is required",
                    remedy: "Write 'cascade' or 'deny', or make '\(inverse.name)' optional.",
                    notes: [Diagnostic.Note("'\(inverse.name)' is required here", at: inverse.range)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .requiredNullified,
        title: "Nullify of a required relationship",
        explanation: """
            With `onDelete: nullify`, the records at the other end stay and are unlinked. If their relationship is \
            required, they must be deleted too (`cascade`), or prevent the delete (`deny`, which is the default in \
            this case).
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], inverse: product, onDelete: nullify } }
              Review:
                attributes: { id: int }
                relationships: { product: Product }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], inverse: product, onDelete: cascade } }
              Review:
                attributes: { id: int }
                relationships: { product: Product }
            """)
}

extension DiagnosticCode {
    /// A delete rule that would clear a required relationship.
    package static let requiredNullified = DiagnosticCode(rawValue: "required-nullified")
}
