import GRDB

/// Relationships of many owners, each loaded in one query.
extension LinkLoader {
    /// Loads a relationship of owners of one entity in one query.
    func load(_ relationship: Int, of owners: [ManagedObject]) throws {
        let owners = owners.filter { $0.records != nil && $0.state != .missing }
        guard let records = owners.first?.records else { return }
        if let above = context.above { return try above.load(relationship, of: owners) }
        switch records.plan.relationships[relationship].kind {
        case .toOne: try loadDestinations(relationship, of: owners, records: records)
        case .toOneInverse, .toMany, .manyToMany: try loadMembers(relationship, of: owners, records: records)
        }
    }

    /// The objects that a loaded relationship leads to from any of its owners, each once.
    static func linkedObjects(_ relationship: Int, of owners: [ManagedObject]) -> [ManagedObject] {
        var known: Set<ObjectIdentifier> = []
        return owners.flatMap { owner in
            let members = owner.keptDestination(relationship).map { [$0] } ?? owner.linksIfLoaded(relationship)?.members
            return (members ?? []).filter { known.insert(ObjectIdentifier($0)).inserted }
        }
    }

    // MARK: To one

    /// Finds the records that foreign keys point at, and lets the owners keep them.
    private func loadDestinations(_ relationship: Int, of owners: [ManagedObject], records: RecordMap) throws {
        let destination = records.destination(relationship)
        let commit = context.base.hub.announced
        // The object of each different key, by the number of the key.
        var objects: [ManagedObject?] = []
        var numbers: [RecordKey: Int] = [:]
        var missing: [RecordKey] = []
        numbers.reserveCapacity(owners.count)
        let keys = owners.map { owner -> (key: RecordKey, number: Int)? in
            guard let key = owner.foreignKey(relationship) else { return nil }
            let number = Self.number(&numbers[key, default: objects.count])
            if number == objects.count {
                objects.append(destination.registeredObject(of: key))
                if objects[number] == nil { missing.append(key) }
            }
            return (key, number)
        }
        let columns = destination.plan.keyColumns.map { destination.plan.qualifiedName(ofColumn: $0) }
        for search in KeySearch.searches(for: missing, in: columns) {
            try forEachObject(destination, sql: "\(destination.plan.selectSQL) WHERE \(search.sql)", search: search) {
                object, _ in
                if let number = numbers[object.recordKey] { objects[number] = object }
            }
        }
        for (owner, key) in zip(owners, keys) {
            let object = key.flatMap { objects[$0.number] }
            if let object, object.state != .deleted {
                owner.keep(object, for: relationship)
            } else {
                let absentKey = object == nil ? key?.key : nil
                owner.keepNoDestination(
                    for: relationship, absence: absentKey.map { LoadedLinks.Absence(key: $0, commit: commit) })
            }
        }
    }

    /// The number of a key in a dictionary, which hashes a new key only once.
    private static func number(_ number: inout Int) -> Int { number }

    // MARK: To many

    /// Loads the members of those owners whose members are not loaded, and sorts all of them.
    private func loadMembers(_ relationship: Int, of owners: [ManagedObject], records: RecordMap) throws {
        let unloaded = owners.filter { $0.linksIfLoaded(relationship) == nil }.map { owner in
            let key = owner.recordKey
            return (
                owner: owner, key: key,
                isAsked: mayHaveStoredMembers(owner, key: key, for: relationship, records: records)
            )
        }
        var stored: [RecordKey: [ManagedObject]] = [:]
        try forEachStoredMember(relationship, of: unloaded.lazy.filter(\.isAsked).map(\.key), records: records) {
            key, object in
            if object.state != .deleted { stored[key, default: []].append(object) }
        }
        for (owner, key, isAsked) in unloaded {
            fill(
                owner.links(relationship), of: owner, key: key, for: relationship,
                stored: isAsked ? stored[key] ?? [] : [])
        }
        for owner in owners { records.sort(owner.links(relationship), for: relationship) }
    }

    private func forEachStoredMember(
        _ relationship: Int, of keys: [RecordKey], records: RecordMap, body: (RecordKey, ManagedObject) -> Void
    ) throws {
        guard let inverse = records.inverse(relationship) else { return }
        let destination = records.destination(relationship)
        let plan = destination.plan
        guard case .manyToMany(let join) = records.plan.relationships[relationship].kind else {
            let columns = destination.foreignKeyColumns(inverse)
            for search in KeySearch.searches(for: keys, in: columns.map(plan.qualifiedName(ofColumn:))) {
                try forEachObject(destination, sql: "\(plan.selectSQL) WHERE \(search.sql)", search: search) {
                    object, row in
                    body(RecordKey(columns.map(row.databaseValue)), object)
                }
            }
            return
        }
        let names = join.sourceColumns.map { "\(SQLName.quoted(join.table)).\(SQLName.quoted($0))" }
        let positions = plan.columns.count..<plan.columns.count + names.count
        for search in KeySearch.searches(for: keys, in: names) {
            try forEachObject(destination, sql: plan.selectSQL(joining: join, where: search.sql), search: search) {
                object, row in
                body(RecordKey(positions.map(row.databaseValue)), object)
            }
        }
    }

    /// Creates the objects of the rows that a search finds, and passes each to `body` with its row.
    private func forEachObject(
        _ records: RecordMap, sql: String, search: KeySearch, body: (ManagedObject, RowReader) -> Void
    ) throws {
        try context.read { database in
            let statement =
                search.isRepeatable ? try database.cachedStatement(sql: sql) : try database.makeStatement(sql: sql)
            RowWriter.bind(search.arguments, to: statement.sqliteStatement)
            try context.connection.forEachRow(of: statement, in: database, plan: records.plan) { row in
                body(records.object(at: row), row)
            }
        }
    }
}
