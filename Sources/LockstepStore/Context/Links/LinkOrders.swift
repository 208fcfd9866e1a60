import GRDB

/// The unsaved orders of a context's many-to-many relationships.
struct LinkOrders {
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    /// Lets every relationship be loaded again, except for unsaved orders, which exist nowhere else.
    func unloadLinksKeepingOrders() {
        let kept = context.unsaved.reordered.compactMap { link, owner in owner.linksIfLoaded(link.relationship) }
        context.identityMap.unloadLinks()
        for links in kept { links.epoch = context.linkEpoch }
    }

    /// Records that the members of an ordered many-to-many relationship have an unsaved order until the next save.
    func note(of owner: ManagedObject, for relationship: Int) {
        context.unsaved.didChange()
        let link = OwnedRelationship(owner, relationship: relationship)
        guard context.unsaved.reordered.updateValue(owner, forKey: link) == nil else { return }
        // The former order does not matter if the context wins anyway, and a new record has none.
        guard context.mergePolicy != .contextWins, owner.state != .inserted else { return }
        context.unsaved.formerOrders[link] = context.remembering { try stored(of: owner, for: relationship) }
    }

    /// Resolves conflicts with orders that were saved elsewhere since they were changed in this context.
    func settle() throws {
        for (link, former) in context.unsaved.formerOrders {
            guard let owner = context.unsaved.reordered[link], owner.state != .deleted else { continue }
            let stored = try stored(of: owner, for: link.relationship)
            // Added or removed members have not changed the order of the others.
            guard former.filter(Set(stored).contains) != stored.filter(Set(former).contains) else { continue }
            switch context.mergePolicy {
            case .contextWins: context.unsaved.formerOrders[link] = stored
            case .storeWins: drop(link)
            case .error:
                throw StoreError(
                    .conflict, doing: "ordering", entity: owner.plan.name, record: owner.recordKey.text,
                    attribute: owner.plan.relationships[link.relationship].name,
                    reason: "another order was saved elsewhere since it was changed in this context",
                    remedy: """
                        Call `refresh(_:)` to keep this context's order, `refresh(_:keepingChanges: false)` to take \
                        the store's; or set `mergePolicy`.
                        """)
            }
        }
    }

    /// Makes the orders of an owner changes against what the store has now, or forgets them.
    func keepOrDrop(of owner: ManagedObject, keepingChanges: Bool) throws {
        for link in context.unsaved.reordered.keys where link.owner == ObjectIdentifier(owner) {
            if !keepingChanges {
                drop(link)
            } else if context.unsaved.formerOrders[link] != nil {
                context.unsaved.formerOrders[link] = try stored(of: owner, for: link.relationship)
            }
        }
    }

    private func drop(_ link: OwnedRelationship) {
        if let owner = context.unsaved.reordered[link] { context.recorders.didChangeUnderneath(owner) }
        context.unsaved.reordered[link] = nil
        context.unsaved.formerOrders[link] = nil
        context.identityMap.unloadLinks()
    }

    private func stored(of owner: ManagedObject, for relationship: Int) throws -> [RecordKey] {
        guard case .manyToMany(let join) = owner.plan.relationships[relationship].kind, let position = join.position
        else { return [] }
        if let parent = context.parent {
            guard let other = try owner.records?.objectAbove(owner) else { return [] }
            return try parent.loadedLinks(of: other, for: relationship).members.map(\.recordKey)
        }
        let columns = join.destinationColumns.map(SQLName.quoted).joined(separator: ", ")
        let column = SQLName.quoted(position)
        let sql = """
            SELECT \(columns) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns)) \
            ORDER BY \(column) IS NULL, \(column)
            """
        return try context.read { database in
            let statement = try database.cachedStatement(sql: sql)
            RowWriter.bind(owner.recordKey.values, to: statement.sqliteStatement)
            var keys: [RecordKey] = []
            try context.connection.forEachRow(of: statement, in: database, plan: owner.plan) { row in
                keys.append(RecordKey(join.destinationColumns.indices.map(row.databaseValue)))
            }
            return keys
        }
    }
}
