package import GRDB
package import LockstepTables

/// Knows the local changes that the server has not confirmed: a merge never deletes such records (Rules.md, M7).
///
/// It is called inside the merge's transaction, once for each entity whose records may be deleted.
package protocol LocalChanges {
    /// The records of an entity that were inserted or changed locally, by their keys.
    func changedRecords(of plan: EntityPlan, in database: Database) throws -> Set<RecordKey>

    /// The members that were linked locally to an owner by a many to many, by their keys.
    ///
    /// - Parameter join: The table of the links, as seen from the owner.
    func addedMembers(of owner: RecordKey, by join: JoinDescription, in database: Database) throws -> Set<RecordKey>
}

/// No local changes: all records of the store came from the server.
package struct NoLocalChanges: LocalChanges {
    package init() {}

    package func changedRecords(of plan: EntityPlan, in database: Database) -> Set<RecordKey> { [] }

    package func addedMembers(
        of owner: RecordKey, by join: JoinDescription, in database: Database
    ) -> Set<RecordKey> { [] }
}
