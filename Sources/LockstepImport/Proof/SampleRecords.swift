package import LockstepJSON

/// The records of one entity in the samples that a schema was created from.
package struct SampleRecords: Hashable, Sendable {
    /// The name of the entity.
    package let entity: String
    /// The records that are not inside of others, as a server sends them.
    package let records: [JSONValue]
}

extension SampleEntities {
    /// The records at the top of files and in envelopes, by their entities.
    var samples: [SampleRecords] {
        list.filter(\.isRoot).map { entity in
            SampleRecords(entity: entity.name, records: entity.collections.flatMap(\.records).map(\.json))
        }
    }
}
