/// The type of an attribute must be a built-in type, or an enum or a type of the schema.
enum UnknownType: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for attribute in draft.attributes where attribute.type == nil && !attribute.isUnreadable {
            if draft.types.isUnreadable(attribute.declaration.typeName.value) { continue }
            report.add(message(attribute.declaration.typeName, of: attribute, in: draft))
        }
    }

    private static func message(
        _ type: Located<String>, of attribute: DraftAttribute, in draft: Draft
    ) -> Diagnostic {
        if draft.entitiesByName[type.value] != nil {
            let target = attribute.isList ? "[\(type.value)]" : type.value + (attribute.isOptional ? "?" : "")
            return Diagnostic(
                .unknownType, at: type.range,
                message: "'\(type.value)' is an entity, which cannot be the type of an attribute",
                remedy: "Make it a relationship: '\(attribute.name): \(target)' under 'relationships:'.")
        }
        return Diagnostic(
            .unknownType, at: type.range, message: "There is no type '\(type.value.shortened)'",
            remedy: remedy(for: type.value, in: draft))
    }

    /// A type that differs only in case is meant, even if the name is common elsewhere: `money`, with a type `Money`.
    private static func remedy(for name: String, in draft: Draft) -> String {
        let names = draft.types.names
        if let same = names.first(where: { $0.lowercased() == name.lowercased() }) { return "Did you mean '\(same)'?" }
        return TypeSynonyms.remedy(for: name)
            ?? .didYouMean(
                name, among: names,
                else:
                    "Use string, int, date or another type of the language, or declare it under 'enums:' or 'types:'.")
    }

    static let entry = CatalogueEntry(
        code: .unknownType,
        title: "Unknown type",
        explanation: """
            The type of an attribute is one of \
            \(ScalarType.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")), an enum of the schema, or a \
            type of your own that is declared under `types:`. Links to entities are relationships.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: strng }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, title: string }
            """)
}

extension String {
    /// "Did you mean 'x'?" if a candidate is similar, otherwise `fallback`.
    static func didYouMean(_ name: String, among candidates: [String], else fallback: String) -> String {
        nearest(to: name, among: candidates).map { "Did you mean '\($0)'?" } ?? fallback
    }
}

extension DiagnosticCode {
    /// A type that is neither built in nor in the schema.
    package static let unknownType = DiagnosticCode(rawValue: "unknown-type")
}
