/// `extends:` must not form a cycle, and its depth is limited.
enum ExtendsLoop: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        var reported: Set<String> = []
        for entity in draft.entities {
            guard let problem = entity.extendsProblem, let first = entity.declaration.extends.first else { continue }
            switch problem {
            case .tooDeep: report.add(message(tooDeep: entity, at: first.range))
            case .loop:
                // One diagnostic for each cycle, at its first entity.
                let loop = loop(from: entity, in: draft)
                guard reported.isDisjoint(with: loop.map(\.name)) else { continue }
                reported.formUnion(loop.map(\.name))
                report.add(message(loop, at: first.range))
            }
        }
    }

    /// The entities of the cycle in order, as far as it is unambiguous.
    private static func loop(from start: DraftEntity, in draft: Draft) -> [DraftEntity] {
        var loop = [start]
        var seen: Set<String> = [start.name]
        while let next = loop[loop.count - 1].declaration.extends.lazy.compactMap({ draft.entitiesByName[$0.value] })
            .first(where: { $0.extendsProblem == .loop && seen.insert($0.name).inserted })
        {
            loop.append(next)
        }
        return loop
    }

    private static func message(_ loop: [DraftEntity], at range: TextRange) -> Diagnostic {
        let names = (loop + [loop[0]]).map(\.name).joined(separator: " → ")
        return Diagnostic(
            .extendsLoop, at: range, message: "Cyclic inheritance: \(names)",
            remedy: "Remove one of these 'extends:'.",
            notes: loop.dropFirst().compactMap { entity in
                entity.declaration.extends.first.map { Diagnostic.Note("'\(entity.name)' extends here", at: $0.range) }
            })
    }

    private static func message(tooDeep entity: DraftEntity, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .extendsLoop, at: range,
            message:
                "'\(entity.name)' has a chain of more than \(Draft.extendsDepthLimit) entities that extend each other",
            remedy: "Merge some of these entities.")
    }

    static let entry = CatalogueEntry(
        code: .extendsLoop,
        title: "Cyclic inheritance",
        explanation: """
            An entity inherits the members of the entities that it extends, so it cannot extend itself, directly or \
            indirectly. A chain of `extends:` can have at most \(Draft.extendsDepthLimit) entities.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                extends: Record
                attributes: { id: uuid }
              Record:
                abstract: true
                extends: Item
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Item:
                abstract: true
                extends: Record
                attributes: { id: uuid }
              Record:
                abstract: true
            """)
}

extension DiagnosticCode {
    /// Entities that extend each other in a cycle.
    package static let extendsLoop = DiagnosticCode(rawValue: "extends-loop")
}
