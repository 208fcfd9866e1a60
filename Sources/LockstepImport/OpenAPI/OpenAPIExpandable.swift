import LockstepJSON
import LockstepSchema

/// A value that is the identity of a record or the record itself, as the server decides: `anyOf: [string, $ref]`.
struct OpenAPIExpandable {
    /// The schema of the record.
    let name: String

    /// `nil` if a value is something else.
    init?(_ value: OpenAPIValue, in context: OpenAPIContext) {
        guard value.isChoice, let list = value.node.peek("anyOf") ?? value.node.peek("oneOf") else { return nil }
        let branches = list.peekedElements.map { OpenAPIValue($0, in: context.document) }
        let records = branches.filter { $0.name.map(context.roles.role) == .entity }
        let texts = branches.filter { $0.problem == nil && ["string", "integer"].contains($0.types.first ?? "") }
        guard texts.count == 1, !records.isEmpty, records.count + texts.count == branches.count,
            let name = Self.common(records.compactMap(\.name)), let node = context.document.schema(name),
            let identity = context.identity.property(of: node, named: name, requestedAt: context.paths),
            OpenAPIValue(identity.node, in: context.document).types == texts[0].types
        else { return nil }
        self.name = name
        list.readAll()
        context.used.formUnion(records.flatMap(\.names))
    }

    /// The name that the others end with: `customer` of `customer` and `deleted_customer`.
    private static func common(_ names: [String]) -> String? {
        names.first { name in
            names.allSatisfy { IdentityNames.plain($0).hasSuffix(IdentityNames.plain(name)) }
        }
    }
}

extension OpenAPIMembers {
    /// Adds the relationship of a value, or of a list of values, each of which is an identity or a record.
    func add(
        _ expandable: OpenAPIExpandable, value: OpenAPIValue, member: MemberSketch, key: String, isToMany: Bool,
        isOptional: Bool
    ) {
        let target = context.typeNames[expandable.name] ?? expandable.name
        let subject = "\(owner).\(member.name)"
        addRelationship(to: expandable.name, value: value, member: member, isToMany: isToMany, isOptional: isOptional) {
            member in
            if isToMany {
                member.wire = .ids
                member.embeddedKey = [key]
            }
            if context.keys.key(of: member, isRelationship: true) != key { member.key = [key] }
        }
        context.notes.decided(
            value.node.line,
            text: isToMany
                ? "\(subject) has identities or records of \(target): both are read, and the identities are sent"
                : "\(subject) is the identity or the record of \(target): only the identity is read and sent",
            help: isToMany
                ? nil
                : "Request it without the record, which cannot be read in its place. If the server always sends the "
                    + "record, write `wire: embedded` instead of `key`.")
    }
}
