import GRDB

/// The local identities that were given to records of `{ local, remote }` before these came: something that a server
/// sent points at them.
///
/// The table is made when the first of them is kept. A record takes its local identity from here when it comes.
package enum ReservedIdentities {
    package static let table = "lockstep_reserved_identity"

    /// Makes the table where it is not there. It is asked for either identity.
    package static let createSQL = """
        CREATE TABLE IF NOT EXISTS "lockstep_reserved_identity" (
            "entity" TEXT NOT NULL, "remote_id" NOT NULL, "local_id" NOT NULL, PRIMARY KEY ("entity", "remote_id")
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS "lockstep_reserved_identity_local_id" ON "lockstep_reserved_identity" ("local_id");
        """

    /// The server's identity of a record that has not come; `nil` where none was kept.
    static func remoteIdentity(
        of local: DatabaseValue, entity: String, in database: Database
    ) throws -> DatabaseValue? {
        guard try database.hasTable(table) else { return nil }
        let statement = try database.cachedStatement(
            sql: "SELECT \"remote_id\" FROM \"\(table)\" WHERE \"entity\" = ? AND \"local_id\" = ?")
        return try DatabaseValue.fetchOne(statement, arguments: [entity, local])
    }
}

extension ManagedObject {
    /// The server's identity of the record that a to-one points at, also while that has not come yet.
    ///
    /// What cannot be read is thrown by the context's next save or fetch.
    ///
    /// - Returns: `nil` where it points at none, or at one that the server has given no identity yet.
    public final func wireIdentity<Destination: Model>(
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
