/// An inverse must lead back to this entity, and must name this relationship if it names one.
enum InverseElsewhere: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard let inverse = link.declaration?.inverse else { continue }
            switch link.inverseProblem {
            case .destinationElsewhere(let other): report.add(message(inverse, of: link, goesElsewhere: other))
            case .inverseElsewhere(let other): report.add(message(inverse, of: link, namesAnother: other))
            case .unknown, .itself, .claimedBefore, .otherEndIsBroken, nil: break
            }
        }
    }

    private static func message(_ inverse: Located<String>, of link: Link, goesElsewhere other: Link) -> Diagnostic {
        let destination = other.destination?.name ?? ""
        return Diagnostic(
            .inverseElsewhere, at: inverse.range,
            message: "'\(other.owner.name).\(other.name)' has the destination '\(destination)', "
                + "and cannot be the inverse of '\(link.owner.name).\(link.name)'",
            remedy:
                "Use a relationship of '\(other.owner.name)' to '\(link.owner.name)', or remove 'inverse:'.",
            notes: [Diagnostic.Note("'\(other.name)' is declared here", at: other.range)])
    }

    private static func message(_ inverse: Located<String>, of link: Link, namesAnother other: Link) -> Diagnostic {
        let named = other.declaration?.inverse
        return Diagnostic(
            .inverseElsewhere, at: inverse.range,
            message:
                "'\(other.owner.name).\(other.name)' names '\(named?.value ?? "")' as its inverse, not '\(link.name)'",
            remedy: "Make the two refer to each other, or remove one 'inverse:'.",
            notes: [Diagnostic.Note("Its inverse is set here", at: named?.range ?? other.range)])
    }

    static let entry = CatalogueEntry(
        code: .inverseElsewhere,
        title: "Inverse refers to another relationship",
        explanation: """
            The two ends of a relationship must have each other's entities as destinations. If both name an inverse, \
            they must name each other.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { reviews: { to: [Review], inverse: author } }
              Review:
                attributes: { id: int }
                relationships: { author: User? }
              User:
                attributes: { id: int }
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
                relationships: { author: User?, product: Product? }
              User:
                attributes: { id: int }
            """)
}

extension DiagnosticCode {
    /// An inverse that does not lead back.
    package static let inverseElsewhere = DiagnosticCode(rawValue: "inverse-elsewhere")
}
