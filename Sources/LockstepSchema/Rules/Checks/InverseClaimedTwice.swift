/// A relationship is the inverse of one other.
enum InverseClaimedTwice: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard case .claimedBefore(let first) = link.inverseProblem, let inverse = link.declaration?.inverse else {
                continue
            }
            report.add(
                Diagnostic(
                    .inverseClaimedTwice, at: inverse.range,
                    "'\(inverse.value)' is the inverse of '\(first.owner.name).\(first.name)' already",
                    remedy:
                        "Give '\(link.name)' a relationship of its own in "
                        + "'\(link.destination?.name ?? "")', or remove 'inverse:'.",
                    notes: [
                        Diagnostic.Note(
                            "It is claimed first here", at: first.declaration?.inverse?.range ?? first.range)
                    ]))
        }
    }

    static let entry = CatalogueEntry(
        code: .inverseClaimedTwice,
        title: "Inverse claimed twice",
        explanation: """
            Each relationship has one other end. Two relationships that share one could not say which of them holds a \
            link.
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
    public static let inverseClaimedTwice = DiagnosticCode(rawValue: "inverse-claimed-twice")
}
