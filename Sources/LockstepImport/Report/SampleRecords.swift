package import LockstepJSON

/// The records of one entity in the samples that a schema was created from.
package struct SampleRecords: Hashable, Sendable {
    /// The name of the entity.
    package let entity: String
    /// The records that are not inside of others, as a server sends them.
    package let records: [JSONValue]
}
