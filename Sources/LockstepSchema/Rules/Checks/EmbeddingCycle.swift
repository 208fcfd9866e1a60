/// Records embedded in each other end somewhere: a struct cannot contain itself, and two ends that carry each other
/// would be written without end.
enum EmbeddingCycle: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links {
            guard let inverse = link.inverse, link.order < inverse.order, link.isEmbedded, inverse.isEmbedded else {
                continue
            }
            report.add(message(link, inverse))
        }
        let cycles = LinkCycles(in: draft.entities) { !$0.isToMany && $0.isEmbedded }
        for cycle in cycles.cycles {
            let isPair = cycle.count == 2 && cycle[0].inverse === cycle[1]
            if !isPair { report.add(message(cycle)) }
        }
    }

    private static func message(_ link: Link, _ inverse: Link) -> Diagnostic {
        Diagnostic(
            .embeddingCycle, at: link.wireRange,
            "'\(link.name)' and its inverse '\(inverse.name)' are both embedded, and would carry each "
                + "other without end",
            remedy: "Embed one of the two: write 'wire: none' or 'wire: id' at the other.",
            notes: [Diagnostic.Note("'\(inverse.name)' is embedded here", at: inverse.wireRange)])
    }

    private static func message(_ cycle: [Link]) -> Diagnostic {
        Diagnostic(
            .embeddingCycle, at: cycle[0].wireRange,
            "These embedded records contain themselves: \(cycle.pathText)",
            remedy: "Write 'wire: id' at one of them.",
            notes: cycle.dropFirst().map { Diagnostic.Note("'\($0.name)' is embedded here", at: $0.wireRange) })
    }

    static let entry = CatalogueEntry(
        code: .embeddingCycle,
        title: "Records that embed each other",
        explanation: """
            `wire: embedded` puts the whole record into the JSON and into the representation of the other. To-ones \
            cannot do so in a circle, and of a relationship and its inverse only one can. A tree is embedded from its \
            to-many: `children`.
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
    fileprivate var isEmbedded: Bool {
        if case .embedded = wire { true } else { false }
    }

    fileprivate var wireRange: SourceRange { declaration?.wire?.range ?? range }
}

extension DiagnosticCode {
    /// Embedded records that would contain themselves.
    public static let embeddingCycle = DiagnosticCode(rawValue: "embedding-cycle")
}
