/// Models are `Identifiable` by their identity. If an attribute `id` is not the key but has its type, Swift takes the
/// attribute, so lists identify rows by it.
enum IDNotIdentity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        var reported: Set<ObjectIdentifier> = []
        for entity in draft.concreteEntities {
            guard let id = entity.attributesByName["id"], !id.isOptional, let type = id.type,
                type == typeOfIdentity(entity.identity), !entity.identity.keyAttributes.contains(where: { $0 === id }),
                reported.insert(ObjectIdentifier(id)).inserted
            else { continue }
            report.add(
                Diagnostic(
                    .idNotIdentity, at: id.declaration.name.range,
                    message:
                        "'id' is not the identity of '\(entity.name)', but lists would identify rows by it: it has the "
                        + "same type",
                    remedy: "Write 'identity: id', or rename the attribute, and keep the JSON key with 'key: id'.",
                    severity: .warning))
        }
    }

    /// The type of the identity; `nil` if it has several parts, or could not be determined.
    private static func typeOfIdentity(_ identity: DraftIdentity) -> AttributeType? {
        if identity.isNone { return .scalar(.int64) }
        return identity.keyAttributes.count == 1 ? identity.keyAttributes[0].type : nil
    }

    static let entry = CatalogueEntry(
        code: .idNotIdentity,
        title: "Attribute 'id' that is not the identity",
        explanation: """
            Models are `Identifiable`: `ForEach` and other lists identify the rows of records by the identity. If an \
            attribute `id` has another type than the identity, as with `identity: { local: localID, remote: id }`, they \
            do not use it. If it has the same type but is not the identity, Swift takes the attribute. Two records with \
            the same value would then be one row, and a record whose value changes another row. Without an identity, a \
            record is identified by its number in the store, an `int64`.
            """,
        wrong: """
            lockstep: 1
            schema: Library
            entities:
              Book:
                identity: isbn
                attributes: { isbn: string, id: string }
            """,
        right: """
            lockstep: 1
            schema: Library
            entities:
              Book:
                identity: isbn
                attributes: { isbn: string, shelfMark: { type: string, key: id } }
            """)
}

extension DiagnosticCode {
    /// An attribute `id` that lists would use in place of the identity.
    package static let idNotIdentity = DiagnosticCode(rawValue: "id-not-identity")
}
