/// Embedding must end somewhere: a struct cannot contain itself, and two ends that embed each other would be encoded
/// endlessly.
enum EmbeddingCycle: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard let inverse = link.inverse, link.order < inverse.order, link.isEmbedded, inverse.isEmbedded else {
                continue
            }
            // A record that embeds itself is a cycle of one, which is reported below.
            if !link.embedsItself, !inverse.embedsItself { report.add(message(link, inverse: inverse)) }
        }
        for link in draft.links where link.isSymmetric && link.isEmbedded {
            report.add(
                Diagnostic(
                    .embeddingCycle, at: link.wireRange,
                    message:
                        "'\(link.name)' is its own inverse, so two embedded records would contain each other endlessly",
                    remedy: "Set 'wire: \(link.isToMany ? "ids" : "id")'."))
        }
        let cycles = LinkCycles(in: draft.entities) { !$0.isToMany && $0.isEmbedded && !$0.isSymmetric }
        for cycle in cycles.cycles {
            let isPair = cycle.count == 2 && cycle[0].inverse === cycle[1]
            if !isPair { report.add(message(cycle)) }
        }
    }

    private static func message(_ link: Link, inverse: Link) -> Diagnostic {
        Diagnostic(
            .embeddingCycle, at: link.wireRange,
            message: "'\(link.name)' and its inverse '\(inverse.name)' are both embedded, and would contain each "
                + "other endlessly",
            remedy: "Embed only one of the two. Set 'wire: none' or 'wire: id' for the other.",
            notes: [Diagnostic.Note("'\(inverse.name)' is embedded here", at: inverse.wireRange)])
    }

    private static func message(_ cycle: [Link]) -> Diagnostic {
        Diagnostic(
            .embeddingCycle, at: cycle[0].wireRange,
            message: "These embedded records contain themselves: \(cycle.pathText)",
            remedy: "Set 'wire: id' for one of them.",
            notes: cycle.dropFirst().map { Diagnostic.Note("'\($0.name)' is embedded here", at: $0.wireRange) })
    }

    static let entry = CatalogueEntry(
        code: .embeddingCycle,
        title: "Cyclic embedding",
        explanation: """
            `wire: embedded` includes the whole record in the JSON and the representation of the other record. To-one \
            relationships cannot do so in a cycle, and only one of a relationship and its inverse can. In a tree, \
            embed the to-many relationship: `children`.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                attributes: { id: uuid }
                relationships: { parent: { to: Item?, wire: embedded } }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                attributes: { id: uuid }
                relationships: { parent: { to: Item?, wire: id } }
            """)
}

extension Link {
    fileprivate var embedsItself: Bool { !isToMany && isEmbedded && destination === owner }

    fileprivate var wireRange: TextRange { declaration?.wire?.range ?? range }
}

extension DiagnosticCode {
    /// Embedded records that would contain themselves.
    package static let embeddingCycle = DiagnosticCode(rawValue: "embedding-cycle")
}
