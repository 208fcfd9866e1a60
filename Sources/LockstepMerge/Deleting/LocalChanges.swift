package import GRDB
package import LockstepStore

/// Knows what was changed on the device and is not confirmed by the server yet: a merge never deletes it (rule M7).
///
/// It is asked inside of the merge's transaction, once for each entity that records may be deleted of.
package protocol LocalChanges {
    /// The records of an entity that were inserted or changed here, by their keys.
    func changedRecords(of plan: EntityPlan, in database: Database) throws -> Set<RecordKey>

    /// The members that an owner was linked to here by a many to many, by their keys.
    ///
    /// - Parameter join: The table of the links, seen from the owner.
    func addedMembers(of owner: RecordKey, by join: JoinDescription, in database: Database) throws -> Set<RecordKey>
}

/// Nothing was changed here: what the store has came from the server.
package struct NoLocalChanges: LocalChanges {
    package init() {}

    package func changedRecords(of plan: EntityPlan, in database: Database) -> Set<RecordKey> { [] }

    package func addedMembers(
        of owner: RecordKey, by join: JoinDescription, in database: Database
    ) -> Set<RecordKey> { [] }
}
