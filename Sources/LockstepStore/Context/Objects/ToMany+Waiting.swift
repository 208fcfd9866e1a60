import GRDB

extension ToMany {
    /// The members' identities on the server, in their order. Members without one yet are left out.
    ///
    /// Listed members that were not received yet are included, because what is written back must not unlink them on the
    /// server.
    public var wireIdentities: [Element.WireIdentity] {
        var identities = elements.compactMap(\.wireIdentity)
        for waiting in awaited {
            guard !identities.contains(waiting.identity) else { continue }
            identities.insert(waiting.identity, at: Swift.min(waiting.place ?? identities.count, identities.count))
        }
        return identities
    }

    /// Members of the owner's list that were not received yet, in the order of their positions.
    private var awaited: [(identity: Element.WireIdentity, place: Int?)] {
        guard let type = Element.WireIdentity.self as? any AttributeValue.Type, owner.recordState != .inserted else {
            return []
        }
        let rows = owner.context.remembering {
            try owner.context.read { try owner.awaitedKeys(relationship, Element.entity.plan, in: $0) }
        }
        return (rows ?? []).compactMap { row in
            (type.init(storedValue: row.key) as? Element.WireIdentity).map { ($0, row.place) }
        }
    }
}

extension ManagedObject {
    /// The server's identities of listed members that are not in the store, with their positions.
    fileprivate func awaitedKeys(
        _ relationship: Int, _ destination: EntityPlan, in database: Database
    ) throws -> [(key: DatabaseValue, place: Int?)] {
        let description = plan.relationships[relationship]
        switch description.kind {
        case .manyToMany(let join) where join.destinationColumns.count == 1:
            return try links(without: destination, join, in: database)
        case .toMany where description.wire.listsIdentities:
            return try waitingLinks("\(plan.name).\(description.name)", destination, in: database)
        default: return []
        }
    }

    private func links(
        without destination: EntityPlan, _ join: JoinDescription, in database: Database
    ) throws -> [(key: DatabaseValue, place: Int?)] {
        let table = SQLName.quoted(join.table)
        let column = SQLName.quoted(join.destinationColumns[0])
        let key = destination.qualifiedName(ofColumn: destination.keyColumns[0])
        let place = join.position.map(SQLName.quoted) ?? "NULL"
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(column), \(place) FROM \(table) WHERE \(SQLName.condition(join.sourceColumns)) \
                AND NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(destination.table)) WHERE \(key) = \(table).\(column)) \
                ORDER BY 2, 1
                """)
        let rows = try Row.fetchAll(statement, arguments: StatementArguments(recordKey.values))
        return try awaited(rows, destination, in: database)
    }

    /// Keys and positions as the server has them, which may identify the records by another identity.
    private func awaited(
        _ rows: [Row], _ destination: EntityPlan, in database: Database
    ) throws -> [(key: DatabaseValue, place: Int?)] {
        try rows.compactMap { row in
            let local: DatabaseValue = row[0]
            guard destination.remoteColumn != nil else { return (local, row[1]) }
            let remote = try ReservedIdentities.remoteIdentity(of: local, entity: destination.name, in: database)
            return remote.map { ($0, row[1]) }
        }
    }

    private func waitingLinks(
        _ name: String, _ destination: EntityPlan, in database: Database
    ) throws -> [(key: DatabaseValue, place: Int?)] {
        guard recordKey.values.count == 1 else { return [] }
        let rows = try WaitingLinkTable.rows(name, of: recordKey, database)
        return try awaited(rows, destination, in: database)
    }
}

extension RelationshipWireDescription {
    /// Whether it is a list of identities.
    fileprivate var listsIdentities: Bool { if case .ids = self { true } else { false } }
}
