import GRDB
import LockstepStore

/// Records that want a value which is there once and which another record has: one that the payload may still list with
/// another, that is deleted at the end, or that wants it likewise.
///
/// Until all others are written they are in the store with the values that they had, new ones without. At the end of
/// the payload each gets what it waits for, or is refused: the merge begins again without it then.
final class ParkedRecords {
    private unowned let run: MergeRun
    private var records: [Record] = []
    /// Places of records, by entity and key.
    private var places: [Int: [KeyFingerprint: Int]] = [:]
    /// Keeps texts until the end of the merge.
    private let arena = TextArena()

    private struct Record {
        let entity: MergeEntity
        let key: [Cell]
        /// What tells it from others in each try of the merge.
        let identity: KeyFingerprint
        /// The identity, which decides between two.
        let order: [Cell]
        let isNew: Bool
        /// What it wants.
        var values: [Int: Cell] = [:]
        /// What it had in these columns; empty for a new record.
        var before: [Int: Cell] = [:]

        var columns: [Int] { values.keys.sorted() }

        func isBefore(_ other: Record) -> Bool {
            for (one, other) in zip(order, other.order) {
                let order = one.order(against: other)
                if order != 0 { return order < 0 }
            }
            return false
        }
    }

    init(_ run: MergeRun) { self.run = run }

    /// Takes over the records of a batch that wait, and what it says of others that wait.
    func add(_ merge: TableMerge) {
        for row in merge.waiting.keys.sorted() where !run.staging.isSkipped(row, of: merge.entity.place) {
            if let waiting = merge.waiting[row] { add(waiting, merge) }
        }
        // What is told to be as it was is no longer waited for.
        guard let places = places[merge.entity.place] else { return }
        for row in merge.mergedRows {
            let cells = merge.table.row(row)
            guard let place = places[cells.fingerprint(merge.entity)] else { continue }
            for (column, value) in records[place].before where cells[column].isIdentical(to: value) {
                records[place].values[column] = value
            }
        }
    }

    private func add(_ waiting: TableMerge.Waiting, _ merge: TableMerge) {
        let cells = merge.table.row(waiting.write.row)
        let place = place(of: waiting.write, merge)
        for column in waiting.columns {
            records[place].values[column] = cells[column].copied(to: arena)
            guard !records[place].isNew, records[place].before[column] == nil else { continue }
            records[place].before[column] = waiting.stored[column]?.copied(to: arena)
        }
    }

    private func place(of write: TableMerge.Write, _ merge: TableMerge) -> Int {
        let (entity, cells) = (merge.entity, merge.table.row(write.row))
        let fingerprint = cells.fingerprint(entity)
        if let known = places[entity.place]?[fingerprint] { return known }
        let record = Record(
            entity: entity, key: copied(merge.table.key(write.row)), identity: cells.identityFingerprint(entity),
            order: copied((entity.wireKeyColumns + entity.plan.keyColumns).map { cells[$0] }),
            isNew: write.columns == nil)
        places[entity.place, default: [:]][fingerprint] = records.count
        records.append(record)
        return records.count - 1
    }

    private func copied(_ cells: [Cell]) -> [Cell] { cells.map { $0.copied(to: arena) } }

    var isEmpty: Bool { records.isEmpty }

    func hasRecords(of entity: MergeEntity) -> Bool { places[entity.place] != nil }

    /// Whether the record with a key waits.
    func has(_ key: KeyFingerprint, _ entity: MergeEntity) -> Bool { places[entity.place]?[key] != nil }

    // MARK: The end of the merge

    /// Gives the records what they wait for: the smallest first, whatever batch they came with.
    ///
    /// - Throws: ``BeginAgain`` where one cannot have its values; the run's lessons say which.
    func settle() throws {
        guard !records.isEmpty else { return }
        try run.withoutChecks {
            for record in records { try run.park(record.columns, of: record.key, record.entity) }
        }
        // Nothing that one of them gets frees what another waits for: all that they had is free already.
        for place in records.indices.sorted(by: { records[$0].isBefore(records[$1]) }) {
            guard let problem = try write(place, records[place].values) else { continue }
            try refuse(place, problem)
        }
        try refuseFollowers()
        if isContested { throw BeginAgain() }
        guard !refused.isEmpty else { return }
        for place in refused {
            let record = records[place]
            let refusal = refusals[place] ?? MergeLessons.Refusal(columns: record.columns, reason: "")
            run.lessons.refuse(record.identity, of: record.entity, refusal)
        }
        throw BeginAgain()
    }

    /// The places of the records that cannot have their values, in the order in which that was found.
    private var refused: [Int] = []
    private var refusals: [Int: MergeLessons.Refusal] = [:]
    /// Whether it takes another try to know whose a value is: where a record that was written already wants it, or one
    /// that was made here has it.
    private var isContested = false

    /// - Returns: Why the record cannot have such values; `nil` where it has them now.
    private func write(_ place: Int, _ values: [Int: Cell]) throws -> StoreError? {
        let record = records[place]
        var set = ColumnSet()
        values.keys.forEach { set.insert($0) }
        guard !values.isEmpty else { return nil }
        let (statement, columns) = try run.statements(of: record.entity).update(set)
        statement.bind(columns.compactMap { values[$0] } + record.key)
        try run.changes.note(.update, in: record.entity.plan.table, run.database)
        do {
            try statement.execute()
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return StoreError(
                error, doing: "merging", plan: record.entity.plan, record: RecordKey(record.key.map(\.databaseValue)))
        }
    }

    private func refuse(_ place: Int, _ problem: StoreError) throws {
        let record = records[place]
        let columns = problem.columns(of: record.entity.plan)
        guard problem.code == .notUnique, !columns.isEmpty else {
            return refuse(place, MergeLessons.Refusal(columns: columns, reason: problem.reason))
        }
        let claim = try UniqueClaim(
            storedIn: columns, record.key, record.entity, run, but: records[place].values)
        if let claim, try isContested(claim, by: place) || isLeft(claim, to: place) { return }
        refuse(place, columns)
    }

    private func refuse(_ place: Int, _ columns: [Int]) {
        let reason = UniqueConflicts.reason(columns, records[place].entity)
        refuse(place, MergeLessons.Refusal(columns: columns, reason: reason))
    }

    private func refuse(_ place: Int, _ refusal: MergeLessons.Refusal) {
        guard refusals[place] == nil else { return }
        refusals[place] = refusal
        refused.append(place)
    }

    /// Whether a value is had by a record that this merge has written and that does not wait; then both do, the next
    /// time.
    private func isContested(_ claim: UniqueClaim, by place: Int) throws -> Bool {
        let record = records[place]
        guard let holder = try claim.holder(of: record.entity, run), !has(holder.fingerprint, record.entity),
            let outcome = run.outcome(holder.fingerprint, of: record.entity),
            outcome == .inserted || outcome == .updated
        else { return false }
        guard run.lessons.watch(try identity(of: holder, record.entity), of: record.entity) else { return false }
        _ = run.lessons.watch(record.identity, of: record.entity)
        isContested = true
        return true
    }

    /// Whether a value is had by a record that was made here, and that leaves it the next time (Rules.md, C5).
    private func isLeft(_ claim: UniqueClaim, to place: Int) throws -> Bool {
        let (entity, order) = (records[place].entity, records[place].order)
        guard let holder = try claim.holder(of: entity, run), !has(holder.fingerprint, entity) else { return false }
        let identity = order.prefix(entity.wireKeyColumns.count).map(\.databaseValue)
        guard let lesson = try Twins(run).lesson(holder, claim, entity, identity: identity) else { return false }
        run.lessons.twins.append(lesson)
        isContested = true
        return true
    }

    /// What tells a record of the store from others in each try of the merge.
    private func identity(of key: [Cell], _ entity: MergeEntity) throws -> KeyFingerprint {
        guard let remote = entity.plan.remoteColumn else { return key.fingerprint }
        let find = try run.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step() && find.cell(remote).isValue ? find.cell(remote).fingerprint : key.fingerprint
    }

    /// Refuses those, too, that want what a refused record keeps.
    private func refuseFollowers() throws {
        var next = 0
        while next < refused.count {
            let place = refused[next]
            let record = records[place]
            next += 1
            for columns in try run.statements(of: record.entity).uniqueIndexes.get()
            where columns.contains(where: { record.before[$0] != nil }) {
                let claim = try UniqueClaim(storedIn: columns, record.key, record.entity, run, but: record.before)
                guard let claim, let holder = try claim.holder(of: record.entity, run),
                    holder.fingerprint != record.key.fingerprint
                else { continue }
                if let other = places[record.entity.place]?[holder.fingerprint] {
                    try run.withoutChecks {
                        try run.park(records[other].columns, of: records[other].key, record.entity)
                    }
                    refuse(other, columns)
                } else {
                    _ = try isContested(claim, by: place)
                }
            }
            if !isContested, !record.isNew { _ = try write(place, record.before) }
        }
    }
}
