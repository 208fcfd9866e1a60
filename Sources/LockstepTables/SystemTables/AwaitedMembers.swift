import GRDB

/// The records that the server has listed as members of a record's to-many, and that have not come yet.
package struct AwaitedMembers {
    private let plan: EntityPlan
    private let owner: RecordKey
    private let database: Database

    package init(_ plan: EntityPlan, owner: RecordKey, in database: Database) {
        self.plan = plan
        self.owner = owner
        self.database = database
    }

    /// The server's identities of listed members that are not in the store, with their positions in an ordered list.
    package func identities(of relationship: Int) throws -> [(identity: DatabaseValue, position: Int?)] {
        let description = plan.relationships[relationship]
        let destination = description.destination
        switch description.kind {
        case .manyToMany(let join) where join.destinationColumns.count == 1:
            return try remote(links(without: destination, in: join), to: destination)
        case .toMany where description.listsIdentities:
            guard owner.values.count == 1 else { return [] }
            let rows = try WaitingLinkTable.rows(
                WaitingLinkTable.name(of: description, in: plan), of: owner, in: database)
            return try remote(rows, to: destination)
        default: return []
        }
    }

    private func links(without destination: EntityPlan, in join: JoinDescription) throws -> [[DatabaseValue]] {
        let table = SQLName.quoted(join.table)
        let column = SQLName.quoted(join.destinationColumns[0])
        let key = destination.qualifiedName(ofColumn: destination.keyColumns[0])
        let position = join.position.map(SQLName.quoted) ?? "NULL"
        return try database.valueRows(
            """
            SELECT \(column), \(position) FROM \(table) WHERE \(SQLName.condition(join.sourceColumns)) \
            AND NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(destination.table)) WHERE \(key) = \(table).\(column)) \
            ORDER BY 2, 1
            """, with: owner.values)
    }

    /// Keys and positions as the server has them, which may know the records by another identity.
    private func remote(
        _ rows: [[DatabaseValue]], to destination: EntityPlan
    ) throws -> [(identity: DatabaseValue, position: Int?)] {
        try rows.compactMap { row in
            let (local, position) = (row[0], row.integer(1))
            guard destination.remoteColumn != nil else { return (local, position) }
            let remote = try ReservedIdentities.remoteIdentity(of: local, entity: destination.name, in: database)
            return remote.map { ($0, position) }
        }
    }
}
