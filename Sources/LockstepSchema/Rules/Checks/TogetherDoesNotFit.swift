/// Only values that are stored and sent with a record, and that both sides can change, can be decided together.
enum TogetherDoesNotFit: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isIncomplete {
            guard let declaration = entity.declaration.together else { continue }
            if let reason = uselessness(of: entity) {
                report.add(message(entity, at: declaration.range, reason: reason))
            }
            guard case .groups(let groups, at: _) = declaration else { continue }
            for group in groups where group.count == 1 { report.add(message(single: group[0])) }
            var firsts: [String: TextRange] = [:]
            for member in groups.joined() {
                if let first = firsts.updateValue(member.range, forKey: member.value) {
                    report.add(message(repeated: member, first: first))
                } else if let attribute = entity.attributesByName[member.value] {
                    let reason = entity.unsuitabilityTogether(of: attribute)
                    if let reason { report.add(message(member, reason: reason)) }
                } else {
                    report.add(message(unknown: member, in: entity))
                }
            }
        }
    }

    /// Why no record of an entity is merged value by value.
    private static func uselessness(of entity: DraftEntity) -> String? {
        if entity.isAbstract { return nil }
        if entity.remote == nil { return "its records stay on the device" }
        return entity.identity.isNone ? "its records have no identity, and count as one value already" : nil
    }

    private static func message(_ entity: DraftEntity, at range: TextRange, reason: String) -> Diagnostic {
        Diagnostic(
            .togetherDoesNotFit, at: range,
            message: "'\(entity.name)' cannot have groups of attributes: \(reason)", remedy: "Remove 'together:'.")
    }

    private static func message(_ member: Located<String>, reason: String) -> Diagnostic {
        Diagnostic(
            .togetherDoesNotFit, at: member.range,
            message: "'\(member.value)' cannot be in a group: it \(reason)",
            remedy: "Remove it from 'together:'. Its attributes are sent, and both sides can change them.")
    }

    private static func message(unknown member: Located<String>, in entity: DraftEntity) -> Diagnostic {
        let isRelationship = entity.relationships.contains { $0.name == member.value }
        return Diagnostic(
            .togetherDoesNotFit, at: member.range,
            message: isRelationship
                ? "'\(member.value)' is a relationship, which is decided by itself"
                : "'\(entity.name)' has no attribute '\(member.value.shortened)'",
            remedy: .didYouMean(
                member.value, among: entity.attributes.map(\.name), else: "Use attributes of '\(entity.name)'."))
    }

    private static func message(single member: Located<String>) -> Diagnostic {
        Diagnostic(
            .togetherDoesNotFit, at: member.range, message: "'\(member.value)' is alone in its list",
            remedy: "Remove the list, or add the attributes that belong with it: '[start, end]'.")
    }

    private static func message(repeated member: Located<String>, first: TextRange) -> Diagnostic {
        Diagnostic(
            .togetherDoesNotFit, at: member.range, message: "'\(member.value)' is in 'together:' twice",
            remedy: "Remove one of the two, or combine their groups.",
            notes: [Diagnostic.Note("The first is here", at: first)])
    }

    static let entry = CatalogueEntry(
        code: .togetherDoesNotFit,
        title: "Unsuitable group of attributes",
        explanation: """
            `together:` lists groups of attributes that count as one value in conflicts. Each attribute is stored and \
            sent with the record, can be changed by both sides, and is in one group only. A group has at least two.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Event:
                together: [[start, end]]
                attributes: { id: uuid, start: date, finish: date }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Event:
                together: [[start, finish]]
                attributes: { id: uuid, start: date, finish: date }
            """)
}

extension DiagnosticCode {
    /// Members that cannot be decided together.
    package static let togetherDoesNotFit = DiagnosticCode(rawValue: "together-does-not-fit")
}
