/// Attributes and relationships cannot have the names of members of every generated class: one of the two would be
/// used, and it would be hard to see which.
enum ReservedName: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where ReservedNames.members.contains(attribute.name) {
            report.add(message(attribute.declaration.name, noun: "attribute"))
        }
        for entity in draft.entities where entity.identity.keyAttributes.count > 1 {
            for attribute in entity.identity.keyAttributes
            where ReservedNames.identityMembers.contains(attribute.name) {
                report.add(message(attribute.declaration.name, noun: "attribute"))
            }
        }
        for relationship in draft.relationships {
            if ReservedNames.members.contains(relationship.name) {
                report.add(message(relationship.declaration.name, noun: "relationship"))
            } else if ReservedNames.members.contains(relationship.name + "ID") {
                report.add(message(foreignKeyOf: relationship.declaration.name))
            }
        }
    }

    private static func message(_ name: Located<String>, noun: String) -> Diagnostic {
        Diagnostic(
            .reservedName, at: name.range, message: "'\(name.value)' is reserved for generated code",
            remedy: "Rename the \(noun), and keep the JSON key with 'key: \(name.value)'.")
    }

    private static func message(foreignKeyOf name: Located<String>) -> Diagnostic {
        Diagnostic(
            .reservedName, at: name.range,
            message: "The foreign key of '\(name.value)' would be '\(name.value)ID', which is reserved "
                + "for generated code",
            remedy: "Rename the relationship, and keep the JSON key with 'key:'.")
    }

    static let entry = CatalogueEntry(
        code: .reservedName,
        title: "Reserved name",
        explanation: """
            Generated classes and structs have members of their own: \
            \(ReservedNames.members.sorted().map { "`\($0)`" }.joined(separator: ", ")). An attribute or a \
            relationship cannot have one of these names, but its JSON key can. Swift keywords are allowed: they are \
            written in backticks, or with an underscore if Swift does not allow them even in backticks (`self_`). An \
            attribute of an identity with several parts cannot be called `keyValues` either.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, context: string }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, situation: { type: string, key: context } }
            """)
}

extension DiagnosticCode {
    /// A member's name that generated code uses.
    package static let reservedName = DiagnosticCode(rawValue: "reserved-name")
}
