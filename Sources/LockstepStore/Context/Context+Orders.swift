import GRDB

/// Unsaved orders of many to many relationships.
extension Context {
    func isReordered(_ owner: ManagedObject, _ relationship: Int) -> Bool {
        !reordered.isEmpty && reordered[ReorderedLinks(owner, relationship)] != nil
    }

    /// Notes that the members of an ordered many to many have an order of their own until the next save.
    func noteOrder(of owner: ManagedObject, _ relationship: Int) {
        changeCount &+= 1
        let link = ReorderedLinks(owner, relationship)
        guard reordered.updateValue(owner, forKey: link) == nil else { return }
        // Nobody asks for the former order where the context's wins anyway, nor has a new record one.
        guard mergePolicy != .contextWins, owner.recordState != .inserted else { return }
        formerOrders[link] = remembering { try storedOrder(of: owner, relationship) }
    }

    /// Settles orders that were saved elsewhere since they were changed here.
    func settleOrders() throws {
        for (link, former) in formerOrders {
            guard let owner = reordered[link], owner.recordState != .deleted else { continue }
            let stored = try storedOrder(of: owner, link.relationship)
            // Members that came or went have not changed the order of the others.
            guard former.filter(Set(stored).contains) != stored.filter(Set(former).contains) else { continue }
            switch mergePolicy {
            case .contextWins: formerOrders[link] = stored
            case .storeWins: dropOrder(link)
            case .error:
                throw StoreError(
                    .conflict, doing: "ordering", entity: owner.plan.name, record: owner.recordKey.text,
                    attribute: owner.plan.relationships[link.relationship].name,
                    reason: "another order was saved elsewhere since it was changed here",
                    remedy: """
                        Call `refresh(_:)` to keep this context's order, `refresh(_:keepingChanges: false)` to take \
                        the store's; or set `mergePolicy`.
                        """)
            }
        }
    }

    /// Lets the orders of an owner count as made to what the store has now, or forgets them.
    func keepOrDropOrders(of owner: ManagedObject, keepingChanges: Bool) throws {
        for link in reordered.keys where link.owner == ObjectIdentifier(owner) {
            if !keepingChanges {
                dropOrder(link)
            } else if formerOrders[link] != nil {
                formerOrders[link] = try storedOrder(of: owner, link.relationship)
            }
        }
    }

    private func dropOrder(_ link: ReorderedLinks) {
        if let owner = reordered[link] { noteChangedUnderneath(owner) }
        reordered[link] = nil
        formerOrders[link] = nil
        unloadLinks()
    }

    private func storedOrder(of owner: ManagedObject, _ relationship: Int) throws -> [RecordKey] {
        guard case .manyToMany(let join) = owner.plan.relationships[relationship].kind, let position = join.position
        else { return [] }
        if let parent {
            guard let other = try owner.records?.objectAbove(owner) else { return [] }
            return try parent.loadedLinks(of: other, relationship).members.map(\.recordKey)
        }
        let columns = join.destinationColumns.map(SQLName.quoted).joined(separator: ", ")
        let place = SQLName.quoted(position)
        let sql = """
            SELECT \(columns) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns)) \
            ORDER BY \(place) IS NULL, \(place)
            """
        return try read { database in
            let statement = try database.cachedStatement(sql: sql)
            RowWriter.bind(owner.recordKey.values, to: statement.sqliteStatement)
            var keys: [RecordKey] = []
            try forEachRow(of: statement, database, owner.plan) { row in
                keys.append(RecordKey(join.destinationColumns.indices.map(row.databaseValue)))
            }
            return keys
        }
    }
}
