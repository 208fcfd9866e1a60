/// A to-one relationship cannot be its own inverse, because each of two records would hold the key of the other one.
enum InverseOfItself: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard case .itself = link.inverseProblem, let inverse = link.declaration?.inverse else { continue }
            report.add(
                Diagnostic(
                    .inverseOfItself, at: inverse.range, "'\(link.name)' cannot be its own inverse",
                    remedy:
                        "Make it a to-many relationship, or declare a second one of '\(link.owner.name)' for the "
                        + "other end."
                ))
        }
    }

    static let entry = CatalogueEntry(
        code: .inverseOfItself,
        title: "Inverse of itself",
        explanation: """
            A to-many relationship can be its own inverse: if one record has the other, the other has the first. Of a \
            to-one relationship, each of the two records would hold the key of the other one, and the two keys could \
            contradict each other. Declare the other end, or make it a to-many relationship.
            """,
        wrong: """
            lockstep: 1
            schema: People
            entities:
              Person:
                attributes: { id: uuid }
                relationships: { spouse: { to: Person?, inverse: spouse } }
            """,
        right: """
            lockstep: 1
            schema: People
            entities:
              Person:
                attributes: { id: uuid }
                relationships:
                  spouse: { to: Person?, inverse: spouseOf }
                  spouseOf: { to: Person?, inverse: spouse }
                  friends: { to: [Person], inverse: friends }
            """)
}

extension DiagnosticCode {
    /// A relationship that names itself as its inverse.
    public static let inverseOfItself = DiagnosticCode(rawValue: "inverse-of-itself")
}
