extension ToMany {
    /// The members' identities on the server, in their order. Members without one yet are left out.
    ///
    /// Listed members that were not received yet are included, because what is written back must not unlink them on the
    /// server.
    @_spi(Generated) public var wireIdentities: [Element.WireIdentity] {
        var identities = elements.compactMap(\.wireIdentity)
        for waiting in awaited {
            guard !identities.contains(waiting.identity) else { continue }
            identities.insert(waiting.identity, at: Swift.min(waiting.position ?? identities.count, identities.count))
        }
        return identities
    }

    /// Members of the owner's list that were not received yet, in the order of their positions.
    private var awaited: [(identity: Element.WireIdentity, position: Int?)] {
        guard let type = Element.WireIdentity.self as? any AttributeValue.Type, owner.state != .inserted else {
            return []
        }
        let rows = owner.context.remembering {
            try owner.context.read { database in
                try AwaitedMembers(owner.plan, owner: owner.recordKey, in: database).identities(of: relationship)
            }
        }
        return (rows ?? []).compactMap { row in
            (type.init(storedValue: row.identity) as? Element.WireIdentity).map { ($0, row.position) }
        }
    }
}
