/// A name must occur only once in a list of members. A second one can only be a mistake.
enum RepeatedMember: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            let declaration = entity.declaration
            check(declaration.extends, list: "extends", into: &report)
            if case .attributes(let names) = declaration.identity?.value {
                check(names, list: "identity", into: &report)
            }
            for index in declaration.indexes { check(index.members, list: "the index", into: &report) }
            for (list, rule) in [("read", declaration.access?.value.read), ("write", declaration.access?.value.write)] {
                if case .paths(let paths)? = rule?.value { check(paths, list: list, into: &report) }
            }
        }
        for relationship in draft.relationships {
            let names = relationship.declaration.sortedBy.map { Located($0.value.attribute, range: $0.range) }
            check(names, list: "sortedBy", into: &report)
        }
    }

    private static func check(_ names: [Located<String>], list: String, into report: inout Report) {
        guard names.count > 1 else { return }
        var firsts: [String: TextRange] = [:]
        for name in names {
            guard let first = firsts[name.value] else {
                firsts[name.value] = name.range
                continue
            }
            report.add(
                Diagnostic(
                    .repeatedMember, at: name.range, message: "'\(name.value.shortened)' is listed twice in \(list)",
                    remedy: "Remove one of the two.", notes: [Diagnostic.Note("The first is here", at: first)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .repeatedMember,
        title: "Repeated member",
        explanation: """
            A name can be listed only once in `identity`, `extends`, `sortedBy` and an index, and a path only once in \
            `access`. A repeated one would have no effect.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
                indexes: [[title, title]]
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
                indexes: [[title]]
            """)
}

extension DiagnosticCode {
    /// A name that occurs twice in a list of members.
    package static let repeatedMember = DiagnosticCode(rawValue: "repeated-member")
}
