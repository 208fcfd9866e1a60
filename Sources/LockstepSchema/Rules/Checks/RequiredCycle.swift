/// Required relationships must not form a cycle: no first record could be created, since each requires another one
/// before it.
enum RequiredCycle: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        let cycles = LinkCycles(in: draft.entities) { !$0.isToMany && !$0.isOptional && $0.storage != nil }
        for cycle in cycles.cycles { report.add(message(cycle)) }
    }

    private static func message(_ cycle: [Link]) -> Diagnostic {
        Diagnostic(
            .requiredCycle, at: cycle[0].range,
            message:
                "These required relationships form a cycle, so no first record could be created: \(cycle.pathText)",
            remedy: "Make one of them optional: '\(cycle[0].destination?.name ?? "")?'.",
            notes: cycle.dropFirst().map { Diagnostic.Note("'\($0.name)' is required here", at: $0.range) })
    }

    static let entry = CatalogueEntry(
        code: .requiredCycle,
        title: "Cycle of required relationships",
        explanation: """
            A record with a required relationship cannot be created before the record that it refers to. In a cycle of \
            required relationships, or with one to the entity itself, no first record could be created, regardless of \
            the delete rules.
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
    /// Required relationships in a cycle.
    package static let requiredCycle = DiagnosticCode(rawValue: "required-cycle")
}
