import LockstepStore
import LockstepSystem

/// What one try of a merge has found out that the next one has to know from its first record on.
///
/// Who gets a value that is there once is known when all of the payload is written, and who does not get it takes along
/// what is nested in it, which is written by then. So the merge is begun again, without such records: how the payload
/// was cut into batches, windows and pages cannot show (Rules.md, M11 and M12).
struct MergeLessons: Sendable {
    /// Why a record is left out.
    struct Refusal: Sendable {
        /// The columns whose values it cannot have.
        let columns: [Int]
        let reason: String
    }

    private var refusals: [Int: [KeyFingerprint: Refusal]] = [:]
    private var watched: [Int: Set<KeyFingerprint>] = [:]
    /// What is done about records that were made here, before anything is merged.
    var twins: [TwinLesson] = []

    var hasRefusals: Bool { !refusals.isEmpty }

    /// Says that a record is left out, wherever the payload has it.
    mutating func refuse(_ identity: KeyFingerprint, of entity: MergeEntity, _ refusal: Refusal) {
        refusals[entity.place, default: [:]][identity] = refusal
    }

    /// The records of an entity that are left out, by identity; `nil` where there are none.
    func refusals(of entity: MergeEntity) -> [KeyFingerprint: Refusal]? { refusals[entity.place] }

    /// Says that a record wants a value that another one wants, too: it is not written before it is known whose it is.
    ///
    /// - Returns: Whether that is new.
    mutating func watch(_ identity: KeyFingerprint, of entity: MergeEntity) -> Bool {
        watched[entity.place, default: []].insert(identity).inserted
    }

    /// The records of an entity that wait for their values that are there once, by identity; `nil` where there are
    /// none.
    func watched(of entity: MergeEntity) -> Set<KeyFingerprint>? { watched[entity.place] }
}

extension UnsafeMutablePointer<Cell> {
    /// What tells a record from others in each try of a merge: a key that the device makes is another each time.
    func identityFingerprint(_ entity: MergeEntity) -> KeyFingerprint {
        let columns = entity.wireKeyColumns
        return columns.allSatisfy { self[$0].isValue } ? fingerprint(ofKey: columns) : fingerprint(entity)
    }
}

extension MergeRun {
    /// Does what the merge is made of, and keeps for the next try what this one has found out.
    func complete(_ lessons: Locked<MergeLessons>, _ body: () throws -> MergeSummary) throws -> MergeSummary {
        do { return try body() } catch let error as BeginAgain {
            lessons.withLock { [known = self.lessons] in $0 = known }
            throw error
        }
    }

    /// Leaves out the records that an earlier try of the merge has refused, with all that is nested in them.
    func leaveOutRefused() throws {
        guard lessons.hasRefusals else { return }
        var refused: [(table: StagedTable, row: Int, refusal: MergeLessons.Refusal)] = []
        for table in staging.tables where table.count > 0 {
            guard let refusals = lessons.refusals(of: table.entity) else { continue }
            for row in 0..<table.count where table.hasKey(row) {
                guard let refusal = refusals[table.row(row).identityFingerprint(table.entity)] else { continue }
                refused.append((table, row, refusal))
            }
        }
        // One that is nested in another of them is left out with it, and one that was found wrong is reported already.
        let reported = refused.filter { !staging.isSkipped($0.row, of: $0.table.entity.place) }
        for (table, row, _) in refused { staging.skip(row, of: table.entity.place) }
        let place = { (row: Int, table: StagedTable) in table.origins[row].record }
        for (table, row, refusal) in reported.sorted(by: { place($0.row, $0.table) < place($1.row, $1.table) })
        where !isInSkipped(row, table) { try report(refusal, row, table) }
    }

    private func isInSkipped(_ row: Int, _ table: StagedTable) -> Bool {
        let origin = table.origins[row]
        return origin.isNested && staging.isSkipped(Int(origin.ownerRow), of: Int(origin.ownerTable))
    }

    /// Reports a record once, however often the payload has it.
    private func report(_ refusal: MergeLessons.Refusal, _ row: Int, _ table: StagedTable) throws {
        let entity = table.entity
        guard reportedRefusals[entity.place, default: []].insert(table.row(row).identityFingerprint(entity)).inserted
        else { return }
        let skipped = skippedRecord(row, of: entity, columns: refusal.columns, refusal.reason)
        if options.invalidRecords == .abort { throw MergeError(skipped) }
        recorder.skip(skipped)
        recorder.note(
            MergeNote(
                .uniqueConflict, entity: entity.plan.name, record: skipped.identity ?? table.key(of: row).text,
                "\(refusal.reason): it stays as it is in the store, or is not inserted"))
    }

    /// Lets records of a batch wait whose values others want, too, or that wait since an earlier batch.
    func letWait(_ merge: TableMerge) throws {
        let watched = lessons.watched(of: merge.entity)
        guard watched != nil || parked.hasRecords(of: merge.entity) else { return }
        try merge.letWait { row in
            let cells = merge.table.row(row)
            return watched?.contains(cells.identityFingerprint(merge.entity)) ?? false
                || parked.has(cells.fingerprint(merge.entity), merge.entity)
        }
    }
}
