/// The role of each named schema.
struct OpenAPIRoles {
    enum Role: Equatable {
        /// Its values are records.
        case entity
        /// Entities extend it.
        case base
        /// An object without an identity, which is a part of others.
        case value
        case enumeration
        /// Another name, a scalar, a list, a map or a choice: it is read where it is used.
        case inline
        /// It is no record, for this reason.
        case helper(String)
    }

    private var roles: [String: Role] = [:]
    private let document: OpenAPIDocument
    private let properties: OpenAPIProperties
    private let identity: OpenAPIIdentity
    private let paths: OpenAPIPaths
    private let uses: OpenAPIUses
    /// The schemas that are a part of records with an identity.
    private var owned: Set<String> = []

    init(_ document: OpenAPIDocument, properties: OpenAPIProperties, paths: OpenAPIPaths) {
        (self.document, self.properties, self.paths) = (document, properties, paths)
        identity = OpenAPIIdentity(document, properties: properties)
        uses = OpenAPIUses(document)
        let returned = uses.reached(from: paths.returned.sorted())
        let sent = uses.reached(from: paths.sent.sorted())
        let failed = uses.reached(from: paths.failed.sorted())
        owned = ownedSchemas(returned, sent: sent, failed: failed)
        for (name, node) in document.schemas {
            roles[name] =
                form(of: node, named: name)
                ?? role(of: node, named: name, returned: returned, sent: sent, failed: failed)
        }
        for (name, role) in roles where role == .base {
            let users = uses.extensions[name] ?? []
            let isExtended = users.contains { (self.role(of: $0) == .entity || self.role(of: $0) == .base) }
            if !isExtended { roles[name] = .helper("no entity extends it") }
        }
    }

    func role(of name: String) -> Role { roles[name] ?? .inline }

    /// Whether a schema is referred to, other than by itself.
    func isUsed(_ name: String) -> Bool { uses.isUsed(name) }

    /// Whether a path or another part outside of the schemas refers to it.
    func isUsedOutside(_ name: String) -> Bool { uses.outside.contains(name) }

    /// The only schema that an object consists of and that has no records of its own.
    func base(of node: OpenAPINode) -> (name: String, node: OpenAPINode)? {
        let bases = properties.parts(of: node).compactMap { part in part.name.map { ($0, part) } }
            .filter { $0.1 !== node && role(of: $0.0) == .base }
        return bases.count == 1 ? bases[0] : nil
    }

    /// Returns the role of a schema according to its form; `nil` for an object with properties.
    private func form(of node: OpenAPINode, named name: String) -> Role? {
        let value = OpenAPIValue(node, in: document)
        guard value.problem == nil, value.name == name else { return .inline }
        if OpenAPIEnumeration(value) != nil { return .enumeration }
        guard value.isObject else { return .inline }
        if value.isChoice { return .inline }
        return properties.all(of: value.node).isEmpty ? .inline : nil
    }

    /// Only records with an identity have parts: an envelope or an error is no owner.
    private func ownedSchemas(_ returned: Set<String>, sent: Set<String>, failed: Set<String>) -> Set<String> {
        let owners = document.schemas.filter { name, node in
            (returned.contains(name) || !sent.contains(name) && !failed.contains(name))
                && isIdentified(node, name: name)
        }
        return uses.reached(from: owners.flatMap { uses.references[$0.name] ?? [] })
    }

    private func isIdentified(_ node: OpenAPINode, name: String) -> Bool {
        identity.property(of: node, named: name, requestedAt: paths) != nil
    }

    private func role(
        of node: OpenAPINode, named name: String, returned: Set<String>, sent: Set<String>, failed: Set<String>
    ) -> Role {
        let isIdentified = isIdentified(node, name: name)
        if let element = paths.envelopes[name], !isIdentified { return .helper("it is an envelope of \(element)") }
        let isValue = uses.values.contains(name)
        if let users = uses.extensions[name], !isValue, paths.remotes[name] == nil,
            ![paths.returned, paths.sent, paths.failed].contains(where: { $0.contains(name) })
        {
            let isExtended = users.contains { user in
                document.schema(user).map { properties.parts(of: $0).count { $0.name != nil } == 1 }
                    ?? false
            }
            return isExtended ? .base : .helper("its properties are those of \(users.joined(separator: ", "))")
        }
        if sent.contains(name), !returned.contains(name) { return .helper("it is only sent") }
        if failed.contains(name), !returned.contains(name) { return .helper("it describes an error") }
        if isIdentified { return .entity }
        // Without an identity, a record can be received with its owner, and not by itself.
        if paths.listed.contains(name) { return isValue && owned.contains(name) ? .value : .entity }
        if !isValue, paths.returned.contains(name) { return .helper("nothing identifies it, and no list has it") }
        if !isValue, !paths.hasPaths { return .entity }
        if isValue { return .value }
        let users = uses.extensions[name] ?? []
        return .helper(
            users.isEmpty
                ? "nothing identifies it, and nothing refers to it"
                : "its properties are those of \(users.joined(separator: ", "))")
    }
}
