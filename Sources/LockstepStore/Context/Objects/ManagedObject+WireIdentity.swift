import GRDB

extension ManagedObject {
    /// The server's identity of the record that a to-one points at, even if that record was not received yet.
    ///
    /// If it cannot be read, the context's next save or fetch throws the error.
    ///
    /// - Returns: `nil` if it points at none, or at one that has no identity on the server yet.
    @_spi(Generated) public final func wireIdentity<Destination: Model>(
        _ relationship: Int, _ key: Destination.Identity?, of type: Destination.Type
    ) -> Destination.WireIdentity? {
        guard let key else { return nil }
        if let destination: Destination = toOne(relationship, key) { return destination.wireIdentity }
        guard let local = key.keyValues.first, let type = Destination.WireIdentity.self as? any AttributeValue.Type
        else { return nil }
        let remote = context.remembering {
            try context.read { database in
                try ReservedIdentities.remoteIdentity(of: local, entity: Destination.entity.name, in: database)
            }
        }
        return remote.flatMap { type.init(storedValue: $0) } as? Destination.WireIdentity
    }
}
