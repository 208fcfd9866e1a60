package import GRDB

/// The keys of a record and of the records that its JSON embeds, in the order of the JSON.
package struct EmbeddedRecord: Sendable {
    package let plan: EntityPlan
    package let key: RecordKey
    /// The records that each relationship embeds, by its index.
    package let members: [(relationship: Int, records: [EmbeddedRecord])]
}

extension Store {
    /// The records that the JSON of a record embeds, read with an existing connection; `nil` if there is no such
    /// record.
    ///
    /// They are in the order of ``representation(of:key:in:)``.
    package func embeddedRecords<Object: Model>(
        of type: Object.Type, key: RecordKey, in database: Database
    ) throws -> EmbeddedRecord? {
        let reader = Context(base)
        defer { reader.close() }
        return try reader.connection.use(database) {
            let sql = Object.entity.plan.keyCondition
            let request = Object.filter(sql: sql, arguments: StatementArguments(key.values))
            return try reader.fetch(request).first.map { try reader.embedded($0) }
        }
    }
}

extension Context {
    /// - Parameter owners: The enclosing records, which are not included again.
    fileprivate func embedded(
        _ object: ManagedObject, in owners: Set<ObjectIdentifier> = []
    ) throws -> EmbeddedRecord {
        let plan = object.plan
        let owners = owners.union([ObjectIdentifier(object)])
        var members: [(Int, [EmbeddedRecord])] = []
        for (relationship, description) in plan.relationships.enumerated() {
            guard description.isEmbedded else { continue }
            let objects = try embeddedObjects(relationship, description, of: object)
            let records = try objects.filter { !owners.contains(ObjectIdentifier($0)) }.map {
                try embedded($0, in: owners)
            }
            members.append((relationship, records))
        }
        return EmbeddedRecord(plan: plan, key: object.recordKey, members: members)
    }

    private func embeddedObjects(
        _ relationship: Int, _ description: RelationshipDescription, of object: ManagedObject
    ) throws -> [ManagedObject] {
        guard case .toOne = description.kind else { return try loadedLinks(of: object, relationship).members }
        guard let records = object.records, let key = object.foreignKey(relationship) else { return [] }
        let destination = records.destination(relationship)
        return try destination.objects(sql: destination.plan.findSQL, key.values)
    }
}
