/// A member cannot have the name of a type that generated code creates values of: in its class, `Date()` would refer to
/// the member `Date`, and would not compile.
enum MemberNamedLikeType: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        let types = typeNames(of: draft)
        for attribute in draft.attributes where mayBeType(attribute.name) && types.contains(attribute.name) {
            report.add(message(attribute.declaration.name, noun: "attribute"))
        }
        for relationship in draft.relationships where mayBeType(relationship.name) && types.contains(relationship.name)
        {
            report.add(message(relationship.declaration.name, noun: "relationship"))
        }
    }

    private static func typeNames(of draft: Draft) -> Set<String> {
        var names = ReservedNames.types
        names.formUnion(draft.declaration.enumerations.map(\.name.value))
        names.formUnion(draft.declaration.types.map(\.name.value))
        names.insert(draft.declaration.name.value + "Schema")
        for entity in draft.entities {
            names.insert(entity.swiftName)
            names.insert(entity.name + "Representation")
        }
        return names
    }

    /// Nearly all members begin with a lowercase letter, and no type does.
    private static func mayBeType(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    }

    private static func message(_ name: Located<String>, noun: String) -> Diagnostic {
        Diagnostic(
            .memberNamedLikeType, at: name.range,
            message: "'\(name.value)' is the name of a type that generated code uses",
            remedy: "Rename the \(noun) to '\(NameWords(name.value).lowerCamelCase)', and keep the JSON key with "
                + "'key: \(name.value)'.")
    }

    static let entry = CatalogueEntry(
        code: .memberNamedLikeType,
        title: "Member named like a type",
        explanation: """
            A server may use keys such as `Date`, `URL` or `Status`. In Swift, a property with such a name would hide \
            the type in its class. Write the property in lowercase, and set the server's name with `key:`.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, Date: date }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, date: { type: date, key: Date } }
            """)
}

extension DiagnosticCode {
    /// A member that would hide a type.
    package static let memberNamedLikeType = DiagnosticCode(rawValue: "member-named-like-type")
}
