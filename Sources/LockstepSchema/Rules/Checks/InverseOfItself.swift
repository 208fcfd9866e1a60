/// A required to-one relationship cannot be its own inverse, because neither of two records could be created first.
enum InverseOfItself: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard case .itself = link.inverseProblem, let inverse = link.declaration?.inverse else { continue }
            report.add(
                Diagnostic(
                    .inverseOfItself, at: inverse.range,
                    message: "'\(link.name)' is required, and cannot be its own inverse",
                    remedy: "Make it optional: '\(link.owner.name)?'."))
        }
    }

    static let entry = CatalogueEntry(
        code: .inverseOfItself,
        title: "Inverse of itself",
        explanation: """
            A relationship can be its own inverse: if one record has the other, the other has the first. A required \
            one cannot, because the first of the two records would have to be created before the other one exists.
            """,
        wrong: """
            lockstep: 1
            schema: People
            entities:
              Person:
                attributes: { id: uuid }
                relationships: { spouse: { to: Person, inverse: spouse } }
            """,
        right: """
            lockstep: 1
            schema: People
            entities:
              Person:
                attributes: { id: uuid }
                relationships:
                  spouse: { to: Person?, inverse: spouse }
                  friends: { to: [Person], inverse: friends }
            """)
}

extension DiagnosticCode {
    /// A required relationship that names itself as its inverse.
    package static let inverseOfItself = DiagnosticCode(rawValue: "inverse-of-itself")
}
