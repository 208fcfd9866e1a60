/// A version must be a number, a text or a date that the server sets for a record that is sent separately. It is sent,
/// is not part of the identity, and is missing until the server has set it.
enum UnsuitableVersion: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities where !entity.isIncomplete {
            guard let name = entity.declaration.version, let attribute = entity.attributesByName[name.value],
                !attribute.isUnreadable
            else { continue }
            if let useless = uselessness(of: entity) {
                report.add(message(name, of: entity, reason: useless))
            } else if entity.identity.keyAttributes.contains(where: { $0 === attribute })
                || entity.identity.remoteAttribute === attribute
            {
                report.add(messageIdentity(name, of: entity))
            } else if let reason = attribute.unsuitabilityAsVersion {
                report.add(message(attribute, name: name, of: entity, reason: reason))
            } else if !attribute.isOptional, attribute.declaration.defaultValue == nil {
                report.add(messageRequired(attribute, name: name))
            }
        }
    }

    /// Why no record of an entity is ever written with a version.
    private static func uselessness(of entity: DraftEntity) -> String? {
        if entity.isAbstract { return nil }
        if entity.remote == nil { return "its records stay on the device" }
        return entity.identity.isNone ? "its records have no identity, and are written with their owner" : nil
    }

    private static func message(_ name: Located<String>, of entity: DraftEntity, reason: String) -> Diagnostic {
        Diagnostic(
            .unsuitableVersion, at: name.range, message: "'\(entity.name)' cannot have a version: \(reason)",
            remedy: "Remove 'version:'.")
    }

    private static func messageIdentity(_ name: Located<String>, of entity: DraftEntity) -> Diagnostic {
        Diagnostic(
            .unsuitableVersion, at: name.range,
            message: "'\(name.value)' is the identity of '\(entity.name)', but a version changes with each write",
            remedy: "Use the attribute that the server changes with each write, such as 'lockVersion'.")
    }

    private static func message(
        _ attribute: DraftAttribute, name: Located<String>, of entity: DraftEntity, reason: String
    ) -> Diagnostic {
        Diagnostic(
            .unsuitableVersion, at: attribute.declaration.typeName.range,
            message: "'\(attribute.name)' cannot be the version of '\(entity.name)': it \(reason)",
            remedy: "Use an 'int', a 'string' or a 'date' that is sent.",
            notes: [Diagnostic.Note("The version is set here", at: name.range)])
    }

    private static func messageRequired(_ attribute: DraftAttribute, name: Located<String>) -> Diagnostic {
        Diagnostic(
            .unsuitableVersion, at: attribute.declaration.typeName.range,
            message:
                "'\(attribute.name)' is set by the server, so it cannot be required: a new record does not have it yet",
            remedy: "Write '\(attribute.typeText)?', or give it a default.",
            notes: [Diagnostic.Note("It is the version here", at: name.range)])
    }

    static let entry = CatalogueEntry(
        code: .unsuitableVersion,
        title: "Unsuitable version",
        explanation: """
            A version is an `int`, a `string` or a `date` that the server changes with each write. It is sent like any \
            attribute, is not part of the identity, and is optional or has a default, because a new record has no \
            version until the server has set one. Entities that stay on the device, or whose records have no identity, \
            cannot use a version.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                version: lockVersion
                attributes: { id: uuid, lockVersion: int }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                version: lockVersion
                attributes: { id: uuid, lockVersion: int? }
            """)
}

extension DraftAttribute {
    /// Why it cannot be a version; `nil` if it can.
    fileprivate var unsuitabilityAsVersion: String? {
        if isTransient { return "is transient, and not stored" }
        if case .some(.none) = declaration.wire?.value { return "is not sent" }
        switch type {
        case .scalar(.int), .scalar(.int16), .scalar(.int32), .scalar(.int64), .scalar(.string), .scalar(.date), nil:
            return nil
        default: return "is of the type '\(typeText)'"
        }
    }
}

extension DiagnosticCode {
    /// An unsuitable version.
    package static let unsuitableVersion = DiagnosticCode(rawValue: "unsuitable-version")
}
