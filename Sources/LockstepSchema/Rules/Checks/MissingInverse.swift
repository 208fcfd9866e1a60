/// A to-many without inverse gets an implied to-one at the other end. If there is a to-one back already that has no
/// inverse either, the two were probably intended to be one relationship.
enum MissingInverse: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links where link.isToMany && link.hasImpliedInverse {
            guard let destination = link.destination, destination !== link.owner, let toMany = link.declaration
            else { continue }
            let rivals = link.owner.links.count {
                $0.isToMany && $0.destination === destination && $0.hasImpliedInverse
            }
            let back = destination.links.filter { $0.couldBeInverse && $0.destination === link.owner }
            // With several candidates, it is ambiguous which is intended.
            if rivals == 1, back.count == 1 { report.add(message(toMany, of: link, back: back[0])) }
        }
    }

    private static func message(_ toMany: RelationshipDeclaration, of link: Link, back: Link) -> Diagnostic {
        Diagnostic(
            .missingInverse, at: toMany.name.range,
            message:
                "'\(link.owner.name).\(link.name)' and '\(back.owner.name).\(back.name)' are two relationships, since "
                + "neither has the other as its inverse",
            remedy: "If they are one, write 'inverse: \(back.name)' in '\(link.name)'. Otherwise, set another inverse "
                + "for '\(back.name)'.",
            severity: .warning,
            notes: [Diagnostic.Note("'\(back.name)' is declared here", at: back.range)])
    }

    static let entry = CatalogueEntry(
        code: .missingInverse,
        title: "Inverse may be missing",
        explanation: """
            For a to-many relationship without `inverse:`, another end is generated. If the destination declares a \
            to-one relationship back to this entity, also without an inverse, the two would be separate relationships \
            with two foreign keys. This is a warning: the code is generated as declared.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: [Review] }
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], inverse: product } }
              Review:
                attributes: { id: int }
                relationships: { product: Product? }
            """)
}

extension Link {
    fileprivate var hasImpliedInverse: Bool { inverse?.isImplied ?? false }

    fileprivate var couldBeInverse: Bool {
        !isToMany && !isImplied && inverse == nil && declaration?.inverse == nil
    }
}

extension DiagnosticCode {
    /// Two relationships that were probably intended to be each other's inverse.
    package static let missingInverse = DiagnosticCode(rawValue: "missing-inverse")
}
