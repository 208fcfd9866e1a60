/// A relationship cannot be its own inverse. Friends of friends need two relationships, which show who asked whom.
enum InverseOfItself: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard case .itself = link.inverseProblem, let inverse = link.declaration?.inverse else { continue }
            report.add(
                Diagnostic(
                    .inverseOfItself, at: inverse.range, "'\(link.name)' cannot be its own inverse",
                    remedy: "Declare a second relationship of '\(link.owner.name)' for the other end, and use it here."
                ))
        }
    }

    static let entry = CatalogueEntry(
        code: .inverseOfItself,
        title: "Inverse of itself",
        explanation: """
            The two ends of a relationship are two relationships, even if an entity is linked to itself: `friends` and \
            `friendOf`.
            """,
        wrong: """
            lockstep: 1
            schema: People
            entities:
              Person:
                attributes: { id: uuid }
                relationships: { friends: { to: [Person], inverse: friends } }
            """,
        right: """
            lockstep: 1
            schema: People
            entities:
              Person:
                attributes: { id: uuid }
                relationships:
                  friends: { to: [Person], inverse: friendOf }
                  friendOf: { to: [Person], inverse: friends }
            """)
}

extension DiagnosticCode {
    /// A relationship that names itself as its inverse.
    public static let inverseOfItself = DiagnosticCode(rawValue: "inverse-of-itself")
}
