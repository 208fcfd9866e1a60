/// For `{ local: …, remote: … }`, the local part is created on the device, as a UUID or a text, and the remote part is
/// missing until the server has assigned it.
enum UnsuitableLocalIdentity: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            guard case .local(let localName, let remoteName) = entity.identity.declaration?.value,
                let local = entity.identity.keyAttributes.first, let remote = entity.identity.remoteAttribute
            else { continue }
            if local === remote {
                report.add(message(same: remoteName))
                continue
            }
            if let type = local.type, type != .scalar(.uuid), type != .scalar(.string), local.unsuitability == nil {
                report.add(message(local, named: localName))
            }
            if !remote.isOptional, !remote.isUnreadable { report.add(message(remote: remote, named: remoteName)) }
        }
    }

    private static func message(same name: Located<String>) -> Diagnostic {
        Diagnostic(
            .unsuitableLocalIdentity, at: name.range,
            message: "'\(name.value)' cannot be both the local and the remote identity",
            remedy: "Use two attributes, or write 'identity: \(name.value)'.")
    }

    private static func message(_ local: DraftAttribute, named name: Located<String>) -> Diagnostic {
        Diagnostic(
            .unsuitableLocalIdentity, at: local.declaration.typeName.range,
            message: "'\(local.name)' is made on the device, which cannot make a unique '\(local.typeText)'",
            remedy: "Write 'uuid' or 'string'.",
            notes: [Diagnostic.Note("It is the local identity here", at: name.range)])
    }

    private static func message(remote: DraftAttribute, named name: Located<String>) -> Diagnostic {
        Diagnostic(
            .unsuitableLocalIdentity, at: remote.declaration.typeName.range,
            message:
                "'\(remote.name)' is made by the server, so it cannot be required: a new record does not have it yet",
            remedy: "Write '\(remote.typeText)?'.",
            notes: [Diagnostic.Note("It is the remote identity here", at: name.range)])
    }

    static let entry = CatalogueEntry(
        code: .unsuitableLocalIdentity,
        title: "Unsuitable local or remote identity",
        explanation: """
            With `identity: { local: localID, remote: remoteID }`, the device makes the first attribute, a `uuid` or a \
            `string`, and the server makes the second. A record that has not reached the server has no remote \
            identity, so the second attribute must be optional.
            """,
        wrong: """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: int }
            """,
        right: """
            lockstep: 1
            schema: Tasks
            entities:
              Item:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: int? }
            """)
}

extension DiagnosticCode {
    /// A local or remote identity that cannot be assigned where it is needed.
    package static let unsuitableLocalIdentity = DiagnosticCode(rawValue: "unsuitable-local-identity")
}
