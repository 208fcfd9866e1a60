/// Which properties of bases identify the records of the entities that extend them.
struct OpenAPIBases {
    /// The keys that identify records, by the base that has them.
    private var identities: [String: Set<String>] = [:]
    /// Those that no base has in the schema, but each entity: of some entities, the server makes the identity, which
    /// has two attributes then.
    private var moved: [String: Set<String>] = [:]

    init(_ context: OpenAPIContext) {
        for (name, node) in context.document.schemas where context.roles.role(of: name) == .entity {
            guard let identity = context.identity.property(of: node, named: name, requestedAt: context.paths) else {
                continue
            }
            let isMadeByServer = context.isMadeByServer(identity, remote: context.paths.remotes[name])
            var (base, depth) = (context.roles.base(of: node), 0)
            while let found = base, depth < OpenAPIFiles.chainLimit {
                if context.properties.all(of: found.node).contains(where: { $0.key == identity.key }) {
                    identities[found.name, default: []].insert(identity.key)
                    if isMadeByServer { moved[found.name, default: []].insert(identity.key) }
                }
                (base, depth) = (context.roles.base(of: found.node), depth + 1)
            }
        }
    }

    /// Whether a property of a base identifies records.
    func isIdentity(_ key: String, of base: String) -> Bool { identities[base]?.contains(key) == true }

    /// Whether the entities have a property of a base by themselves.
    func isMoved(_ key: String, from base: String) -> Bool { moved[base]?.contains(key) == true }
}
