/// An inverse must be a relationship of the destination.
enum UnknownInverse: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard case .unknown = link.inverseProblem, let inverse = link.declaration?.inverse,
                let destination = link.destination
            else { continue }
            // Only those that lead back can be intended.
            let candidates = destination.links.filter { !$0.isImplied && $0.destination === link.owner }.map(\.name)
            // It may be a relationship that could not be read, unless it is clearly a misspelling of another one.
            if destination.isIncomplete, nearest(to: inverse.value, among: candidates) == nil { continue }
            report.add(message(inverse, of: link, in: destination, among: candidates))
        }
    }

    private static func message(
        _ inverse: Located<String>, of link: Link, in destination: DraftEntity, among candidates: [String]
    ) -> Diagnostic {
        let fallback =
            candidates.count == 1
            ? "Did you mean '\(candidates[0])'?"
            : "Declare it: '\(inverse.value): \(link.owner.name)?' in '\(destination.name)', or remove 'inverse:'."
        return Diagnostic(
            .unknownInverse, at: inverse.range,
            message:
                "'\(destination.name)' has no relationship '\(inverse.value.shortened)' that could be the inverse of "
                + "'\(link.name)'",
            remedy: .didYouMean(inverse.value, among: candidates, else: fallback),
            notes: [Diagnostic.Note("'\(destination.name)' is declared here", at: destination.declaration.name.range)])
    }

    static let entry = CatalogueEntry(
        code: .unknownInverse,
        title: "Unknown inverse",
        explanation: """
            `inverse:` is the relationship of the destination that is the other end of this one. A to-many \
            relationship without a declared other end does not need `inverse:`; the other end is generated.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], inverse: prduct } }
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

extension DiagnosticCode {
    /// An inverse that the destination does not have.
    package static let unknownInverse = DiagnosticCode(rawValue: "unknown-inverse")
}
