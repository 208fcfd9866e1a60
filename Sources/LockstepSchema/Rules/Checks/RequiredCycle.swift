/// Required relationships do not go in a circle: no first record of it could ever be made, since each needs another
/// before it.
enum RequiredCycle: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        let cycles = LinkCycles(in: draft.entities) { !$0.isToMany && !$0.isOptional && $0.storage != nil }
        for cycle in cycles.cycles { report.add(message(cycle)) }
    }

    private static func message(_ cycle: [Link]) -> Diagnostic {
        Diagnostic(
            .requiredCycle, at: cycle[0].range,
            "These required relationships go in a circle, so that no first record could be made: \(cycle.pathText)",
            remedy: "Make one of them optional: '\(cycle[0].destination?.name ?? "")?'.",
            notes: cycle.dropFirst().map { Diagnostic.Note("'\($0.name)' is required here", at: $0.range) })
    }

    static let entry = CatalogueEntry(
        code: .requiredCycle,
        title: "Circle of required relationships",
        explanation: """
            A record whose relationship is required cannot be made before the record that it points at. In a circle \
            of such relationships, or with one to the entity itself, there is no record to begin with, whatever is \
            deleted with what.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                attributes: { id: uuid }
                relationships: { parent: Item }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                attributes: { id: uuid }
                relationships: { parent: Item? }
            """)
}

extension DiagnosticCode {
    /// Required relationships in a circle.
    public static let requiredCycle = DiagnosticCode(rawValue: "required-cycle")
}
