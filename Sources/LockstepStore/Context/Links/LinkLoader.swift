import GRDB

/// Loads the members of relationships: those of the store or the parent, with the unsaved changes applied.
struct LinkLoader {
    let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    func load(_ links: LoadedLinks, of owner: ManagedObject, for relationship: Int, records: RecordMap) throws {
        let key = owner.recordKey
        var stored: [ManagedObject] = []
        if let inverse = records.inverse(relationship),
            mayHaveStoredMembers(owner, key: key, for: relationship, records: records)
        {
            let destination = records.destination(relationship)
            switch records.plan.relationships[relationship].kind {
            case _ where context.parent != nil:
                stored =
                    try context.above?.members(
                        of: owner, key: key, for: relationship, to: destination, inverse: inverse) ?? []
            case .toOne: break
            case .toOneInverse, .toMany: stored = try destination.storedHolders(of: key, for: inverse)
            case .manyToMany(let join): stored = try storedMembers(of: key, in: join, to: destination)
            }
        }
        fill(links, of: owner, key: key, for: relationship, stored: stored)
    }

    /// Whether the members stored at an owner's key are members of this owner.
    func mayHaveStoredMembers(
        _ owner: ManagedObject, key: RecordKey, for relationship: Int, records: RecordMap
    ) -> Bool {
        guard owner.state != .deleted else { return false }
        // The links at the key of a replaced record belong to that record.
        guard case .manyToMany = records.plan.relationships[relationship].kind else { return true }
        return owner.state != .inserted || records.deletedObjects[key] == nil
    }

    /// Loads a relationship: the stored members, with the unsaved changes applied.
    func fill(
        _ links: LoadedLinks, of owner: ManagedObject, key: RecordKey, for relationship: Int, stored: [ManagedObject]
    ) {
        defer { links.epoch = context.linkEpoch }
        guard let records = owner.records, owner.state != .deleted, let inverse = records.inverse(relationship)
        else { return links.replace(with: []) }
        let description = records.plan.relationships[relationship]
        let destination = records.destination(relationship)
        switch description.kind {
        case .toOne: break
        case .toOneInverse, .toMany:
            let former = links.members
            var members = destination.holders(of: key, for: inverse, stored: stored)
            reloadLost(former, except: members, of: key, for: inverse)
            if description.isOrdered { members = destination.inOrder(members, for: inverse) }
            links.replace(with: members)
            destination.linkIndex(inverse).setLoaded(links, of: key)
        case .manyToMany(let join):
            let former = links.members
            links.replace(with: members(of: key, in: join, stored: stored))
            if context.unsaved.isReordered(owner, for: relationship) { links.takeOrder(of: former) }
        }
        links.sortGeneration = -1
    }

    /// Reads former members that were linked elsewhere or deleted by others again, so that both ends agree.
    private func reloadLost(
        _ former: [ManagedObject], except members: [ManagedObject], of owner: RecordKey, for relationship: Int
    ) {
        guard !former.isEmpty else { return }
        let known = Set(members.lazy.map { ObjectIdentifier($0) })
        for object in former where object.state == .stored && !known.contains(ObjectIdentifier(object)) {
            if object.foreignKey(relationship) == owner { context.reload(object) }
        }
    }

    private func storedMembers(
        of key: RecordKey, in join: JoinDescription, to destination: RecordMap
    ) throws -> [ManagedObject] {
        let condition = SQLName.condition(join.sourceColumns, in: join.table)
        let sql = destination.plan.selectSQL(joining: join, where: condition)
        return try destination.objects(sql: sql, arguments: key.values)
    }

    /// The members of a many-to-many relationship: the stored links, without removed ones and with added ones.
    private func members(of key: RecordKey, in join: JoinDescription, stored: [ManagedObject]) -> [ManagedObject] {
        guard let changes = context.unsaved.joins[join.table] else {
            return stored.filter { $0.state != .deleted }
        }
        var members = stored.filter { changes.isAdded(key, to: $0.recordKey, in: join) != false }
        if join.isToOne { members.removeAll { changes.isLinkedElsewhere(key, to: $0.recordKey, in: join) } }
        var known = Set(members.lazy.map { ObjectIdentifier($0) })
        for object in changes.added(to: key, in: join)
        where changes.isAdded(key, to: object.recordKey, in: join) == true {
            if known.insert(ObjectIdentifier(object)).inserted { members.append(object) }
        }
        return members.filter { $0.state != .deleted }
    }
}
