import GRDB
import LockstepTables

/// Decides which records a deletion must not delete, directly or by cascades (Rules.md, M7).
final class ProtectedRecords {
    private let plans: SchemaPlan
    private let database: Database
    private let isListed: (_ entity: Int, _ key: RecordKey) -> Bool
    private let localChanges: any LocalChanges
    private var changed: [Int: Set<RecordKey>] = [:]

    init(
        plans: SchemaPlan, database: Database, localChanges: any LocalChanges,
        isListed: @escaping (_ entity: Int, _ key: RecordKey) -> Bool
    ) {
        self.plans = plans
        self.database = database
        self.localChanges = localChanges
        self.isListed = isListed
    }

    /// Whether the payload has the record.
    func isListed(_ record: RecordReference) -> Bool { isListed(record.entity, record.key) }

    /// Whether the record has changes that the server has not confirmed.
    func isChanged(_ record: RecordReference) throws -> Bool {
        if let keys = changed[record.entity] { return keys.contains(record.key) }
        let keys = try localChanges.changedRecords(of: plans[record.entity], in: database)
        changed[record.entity] = keys
        return keys.contains(record.key)
    }

    /// Forgets the local changes of records: it was decided that they do not count.
    func forget(_ records: [RecordReference]) {
        for record in records { changed[record.entity]?.remove(record.key) }
    }

    /// Whether the record must stay.
    ///
    /// - Parameter reachedServer: Whether the server has it.
    func protects(_ record: RecordReference, reachedServer: Bool) throws -> Bool {
        try !reachedServer || isListed(record) || isChanged(record)
    }

    /// The members that were linked to an owner locally, and that the server does not know yet.
    func addedMembers(of owner: RecordKey, by join: JoinDescription) throws -> Set<RecordKey> {
        try localChanges.addedMembers(of: owner, by: join, in: database)
    }
}
