import LockstepJSON

/// Rails adds every record of `lines_attributes` that has no id. Records without identity would be added again with
/// each edit of their owner.
enum NestedWithoutIdentity: Rule {
    private static let suffix = "_attributes"

    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links where link.isToMany && link.isSynced && link.destination?.identity.isNone ?? false {
            guard case .embedded(let path, idsPath: _) = link.wire, path.last?.hasSuffix(suffix) ?? false,
                let declaration = link.declaration
            else { continue }
            report.add(
                Diagnostic(
                    .nestedWithoutIdentity, at: declaration.key?.range ?? declaration.name.range,
                    message: "Rails adds the records of '\(path.joined(separator: "."))' again with each edit: "
                        + "'\(link.destination?.name ?? "")' has no identity",
                    remedy: "Give '\(link.destination?.name ?? "")' an identity, or send the list under another key.",
                    severity: .warning))
        }
    }

    static let entry = CatalogueEntry(
        code: .nestedWithoutIdentity,
        title: "Nested attributes without identity",
        explanation: """
            A key such as `lines_attributes` is for `accepts_nested_attributes_for` of Rails. It updates the records \
            whose ids it gets, and adds all others. Records without identity are sent as a whole list: each edit of \
            one of them would add all of them again.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Order:
                attributes: { id: int }
                relationships: { lines: { to: [Line], wire: embedded, key: lines_attributes } }
              Line:
                identity: none
                attributes: { text: string }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Order:
                attributes: { id: int }
                relationships: { lines: { to: [Line], inverse: order, wire: embedded, key: lines_attributes } }
              Line:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: { type: int?, key: id }, text: string }
                relationships: { order: { to: Order?, inverse: lines } }
            """)
}

extension DiagnosticCode {
    /// Embedded records without identity under a key of nested attributes.
    package static let nestedWithoutIdentity = DiagnosticCode(rawValue: "nested-without-identity")
}
