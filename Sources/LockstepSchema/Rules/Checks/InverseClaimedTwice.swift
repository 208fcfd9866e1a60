/// A relationship can be the inverse of only one other.
enum InverseClaimedTwice: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard case .claimedBefore(let first) = link.inverseProblem, let inverse = link.declaration?.inverse else {
                continue
            }
            report.add(
                Diagnostic(
                    .inverseClaimedTwice, at: inverse.range,
                    message: "'\(inverse.value)' is already the inverse of '\(first.owner.name).\(first.name)'",
                    remedy:
                        "Add another relationship for '\(link.name)' to "
                        + "'\(link.destination?.name ?? "")', or remove 'inverse:'.",
                    notes: [
                        Diagnostic.Note(
                            "First used here", at: first.declaration?.inverse?.range ?? first.range)
                    ]))
        }
    }

    static let entry = CatalogueEntry(
        code: .inverseClaimedTwice,
        title: "Inverse used twice",
        explanation: """
            Each relationship has one other end. If two relationships had the same inverse, it would be ambiguous \
            which of them stores a link.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships:
                  reviews: { to: [Review], inverse: product }
                  complaints: { to: [Review], inverse: product }
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
                relationships:
                  reviews: { to: [Review], inverse: product }
                  complaints: { to: [Review], inverse: faultyProduct }
              Review:
                attributes: { id: int }
                relationships: { product: Product?, faultyProduct: Product? }
            """)
}

extension DiagnosticCode {
    /// A relationship that two others name as their inverse.
    package static let inverseClaimedTwice = DiagnosticCode(rawValue: "inverse-claimed-twice")
}
