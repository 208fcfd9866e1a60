import Foundation
import GRDB
import LockstepTables

/// Deletes what the server no longer lists (Rules.md, M7), after everything that it lists is merged.
///
/// It never deletes, directly or by cascades, a record that the payload lists, that has local changes, or that has
/// never reached the server. Such a record keeps its foreign key where the delete rules would have cleared it.
struct StaleRecordDeletion {
    let plans: SchemaPlan
    let database: Database
    let changes: RawChanges
    let recorder: SummaryRecorder
    private let protectedRecords: ProtectedRecords
    private let links: [[DeleteLink]]
    private let keptLinks: KeptLinks?
    private let keepsLocalValuesAt: Date?
    private let willDelete: (RecordReference) throws -> Void
    private let didDelete: (_ entity: Int, _ key: RecordKey) throws -> Void

    /// - Parameters:
    ///   - recorder: Receives the notes.
    ///   - keptLinks: Keeps the payload's links to records that are deleted.
    ///   - keepsLocalValuesAt: The time, if values that only this device has are kept (``LocalValueTable``).
    ///   - willDelete: Called for each record before it is deleted, which the database may deny.
    ///   - didDelete: Called for each record that was deleted.
    ///   - isListed: Whether the payload has a record, including nested ones, by the index of its entity in `plans` and
    ///     its local key.
    init(
        plans: SchemaPlan, database: Database, changes: RawChanges, recorder: SummaryRecorder,
        localChanges: any LocalChanges = NoLocalChanges(), keptLinks: KeptLinks? = nil,
        keepsLocalValuesAt: Date? = nil, willDelete: @escaping (RecordReference) throws -> Void = { _ in },
        didDelete: @escaping (_ entity: Int, _ key: RecordKey) throws -> Void,
        isListed: @escaping (_ entity: Int, _ key: RecordKey) -> Bool
    ) {
        self.plans = plans
        self.database = database
        self.changes = changes
        self.recorder = recorder
        protectedRecords = ProtectedRecords(
            plans: plans, database: database, localChanges: localChanges, isListed: isListed)
        self.keptLinks = keptLinks
        self.keepsLocalValuesAt = keepsLocalValuesAt
        (self.willDelete, self.didDelete) = (willDelete, didDelete)
        links = DeleteLink.links(of: plans)
    }

    /// Deletes the rows in scope that the payload does not list; with a many to many, it only unlinks them.
    ///
    /// - Returns: The number of links that were deleted.
    @discardableResult
    func run(_ scope: ResolvedScope) throws -> Int {
        guard allowsDeleting(in: scope) else { return 0 }
        if let link = scope.link { return try unlink(link, in: scope) }
        try delete(candidates(in: scope))
        return 0
    }

    /// The records in scope that the payload does not list, without those that have local changes.
    func candidates(in scope: ResolvedScope) throws -> [RecordReference] {
        try StaleRecordCandidates(scope: scope, database: database, protectedRecords: protectedRecords).find()
    }

    /// The number of records in scope that the payload lists, of those that meet a condition.
    func listedCount(in scope: ResolvedScope, where isCounted: (RecordKey) -> Bool) throws -> Int {
        try StaleRecordCandidates(scope: scope, database: database, protectedRecords: protectedRecords)
            .listedCount(where: isCounted)
    }

    /// Whether the scope's owner is linked to members that the payload does not list, and that were not added locally.
    func hasUnlistedMembers(of link: ScopeLink, in scope: ResolvedScope) throws -> Bool {
        let added = try protectedRecords.addedMembers(of: link.ownerKey, by: link.join)
        return try StaleRecordCandidates(scope: scope, database: database, protectedRecords: protectedRecords)
            .findMembers(of: link)
            .contains { !added.contains($0) }
    }

    /// Whether anything may be deleted in a scope. If not, the reason is recorded.
    func allowsDeleting(in scope: ResolvedScope) -> Bool {
        guard scope.allowsDeleting else {
            scope.obstacles.forEach(recorder.note)
            return false
        }
        guard scope.plan.hasIdentity else {
            recorder.note(
                MergeNote(
                    .cannotDelete, entity: scope.plan.name,
                    text: "its records have no identity, so nothing was deleted"))
            return false
        }
        return true
    }

    /// Deletes these records and everything that the delete rules cascade to. Protected ones among them stay.
    ///
    /// - Returns: The number of deleted records.
    @discardableResult
    func delete(_ records: [RecordReference]) throws -> Int {
        let records = try records.filter { try !protectedRecords.isListed($0) && !protectedRecords.isChanged($0) }
        if records.isEmpty { return 0 }
        let reader = LinkReader(plans: plans, database: database)
        let plan = DeletePlan(links: links, reader: reader, protectedRecords: protectedRecords)
        let order = try plan.make(for: records)
        for (record, reason) in plan.denials { reportKept(record, reason: reason) }
        let writer = DetachmentWriter(plans: plans, database: database, changes: changes)
        for (index, detachment) in plan.detachments.enumerated() {
            try detachment.detach(writer, uniqueNumber: index + 1)
        }
        if let keptLinks { for record in order { try keptLinks.remember(record) } }
        let count = try deleteInOrder(order)
        for detachment in plan.detachments { try detachment.attach(writer) }
        try keptLinks?.restore()
        return count
    }

    /// The records in scope that the payload does not list, including those that must stay.
    func unlisted(in scope: ResolvedScope) throws -> [RecordReference] {
        try StaleRecordCandidates(scope: scope, database: database, protectedRecords: protectedRecords).findUnlisted()
    }

    /// Deletes these records, after it was decided that their local changes do not count.
    func deleteUnprotected(_ records: [RecordReference]) throws {
        guard !records.isEmpty else { return }
        protectedRecords.forget(records)
        try delete(records)
    }

    private func reportKept(_ record: RecordReference, reason: String) {
        recorder.note(
            MergeNote(
                .keptRecord, entity: plans[record.entity].name, record: record.key.text,
                text: "it is no longer listed and was kept: \(reason)"))
    }

    private func deleteInOrder(_ records: [RecordReference]) throws -> Int {
        var statements: [Int: RawStatement] = [:]
        var deleted: [Int: [RecordNotes.Record]] = [:]
        let notes = try RecordNotes(database)
        for record in records {
            let plan = plans[record.entity]
            let noted = try notes.record(record.key, in: plan)
            let statement = try statements[record.entity] ?? RawStatement(plan.deleteSQL, in: database)
            statements[record.entity] = statement
            try changes.note(.delete, in: plan.table, database: database)
            let local = try rowWithLocalValues(of: record)
            try willDelete(record)
            guard try isDeleted(record, by: statement) else { continue }
            if let local, let now = keepsLocalValuesAt {
                try LocalValueTable.keep(local, of: plan, at: now, in: database)
            }
            try didDelete(record.entity, record.key)
            deleted[record.entity, default: []].append(noted)
        }
        for (entity, records) in deleted { try notes.forget(records, in: plans[entity]) }
        return deleted.values.reduce(0) { $0 + $1.count }
    }

    /// The row of a record whose values that only this device has are kept; `nil` if none are.
    private func rowWithLocalValues(of record: RecordReference) throws -> [DatabaseValue]? {
        let plan = plans[record.entity]
        if keepsLocalValuesAt == nil || plan.localColumns.isEmpty { return nil }
        return try database.valueRows(plan.findSQL, with: record.key.values).first
    }

    /// Deletes one record. If the database refuses because of a rule that is not in the schema, such as a trigger of
    /// the app, the record stays and the others are deleted.
    private func isDeleted(_ record: RecordReference, by statement: RawStatement) throws -> Bool {
        do {
            if try statement.run(record.key.values) > 0 { return true }
            // In a cycle, the delete of another record may have cascaded to this one.
            let plan = plans[record.entity]
            let sql = "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(plan.keyCondition)"
            return try database.valueRows(sql, with: record.key.values).isEmpty
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT && database.isInsideTransaction
        {
            reportKept(record, reason: "a rule of the database denies the delete")
            return false
        }
    }

    // MARK: Many to many

    private func unlink(_ link: ScopeLink, in scope: ResolvedScope) throws -> Int {
        let added = try protectedRecords.addedMembers(of: link.ownerKey, by: link.join)
        let candidates = StaleRecordCandidates(scope: scope, database: database, protectedRecords: protectedRecords)
        let writer = DetachmentWriter(plans: plans, database: database, changes: changes)
        var count = 0
        for member in try candidates.findMembers(of: link) where !added.contains(member) {
            try writer.unlink(link.ownerKey, member: member, in: link.join)
            count += 1
        }
        return count
    }
}
