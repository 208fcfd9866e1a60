import GRDB
import LockstepTables

/// Assigns unique values to the deferred records: the smallest identity first, regardless of their batches (Rules.md,
/// M11, M12 and C5).
///
/// After everything that deletes, since that makes values available. A record that cannot have its value is refused:
/// the merge begins again without it.
struct AssignDeferredUniqueValues: MergePhase {
    /// - Throws: ``BeginAgain`` if one cannot have its values. The state's retry hints name it.
    func run(_ state: MergeState) throws {
        guard !state.deferredUniqueValues.isEmpty else { return }
        try Assignment(state).run()
    }
}

private final class Assignment {
    private let state: MergeState
    private let transaction: MergeTransaction
    private let deferred: DeferredUniqueValues
    private var records: [DeferredUniqueValues.Record] { deferred.records }
    /// The indexes of the records that cannot have their values, in the order in which that was found.
    private var refused: [Int] = []
    private var refusals: [Int: MergeRetryHints.Refusal] = [:]
    /// Whether another attempt is needed to know whose a value is: because a record that is written already wants it,
    /// or one that was created locally has it.
    private var isContested = false

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
        deferred = state.deferredUniqueValues
    }

    func run() throws {
        try transaction.withoutChecks {
            for record in records {
                try transaction.writePlaceholders(record.columns, of: record.key, entity: record.entity)
            }
        }
        // An assignment makes no other possible: all the values that the records had are free already.
        for index in records.indices.sorted(by: { records[$0].isBefore(records[$1]) }) {
            guard let problem = try write(index, values: records[index].values) else { continue }
            try refuse(index, problem: problem)
        }
        try refuseFollowers()
        if isContested { throw BeginAgain() }
        guard !refused.isEmpty else { return }
        for index in refused {
            let record = records[index]
            let refusal = refusals[index] ?? MergeRetryHints.Refusal(columns: record.columns, reason: "")
            state.retryHints.refuse(record.identity, of: record.entity, refusal: refusal)
        }
        throw BeginAgain()
    }

    /// - Returns: Why the record cannot have such values; `nil` if it has them now.
    private func write(_ index: Int, values: [Int: Cell]) throws -> StoreError? {
        let record = records[index]
        var set = ColumnSet()
        values.keys.forEach { set.insert($0) }
        guard !values.isEmpty else { return nil }
        let (statement, columns) = try transaction.statements(of: record.entity).update(set)
        statement.bind(columns.compactMap { values[$0] } + record.key)
        try transaction.changes.note(.update, in: record.entity.plan.table, database: transaction.database)
        do {
            try statement.execute()
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return StoreError(
                error, doing: "merging", plan: record.entity.plan, record: RecordKey(record.key.map(\.databaseValue)))
        }
    }

    // MARK: Refusing

    private func refuse(_ index: Int, problem: StoreError) throws {
        let record = records[index]
        let columns = problem.columns(of: record.entity.plan)
        guard problem.code == .notUnique, !columns.isEmpty else {
            return refuse(index, refusal: MergeRetryHints.Refusal(columns: columns, reason: problem.reason))
        }
        let claim = try UniqueClaim(
            storedIn: columns, key: record.key, entity: record.entity, in: transaction, but: record.values)
        if let claim, try watchContested(claim, by: index) || learnToMoveHolder(of: claim, from: index) { return }
        refuse(index, columns: columns)
    }

    private func refuse(_ index: Int, columns: [Int]) {
        let reason = UniqueConflicts.reason(columns, of: records[index].entity)
        refuse(index, refusal: MergeRetryHints.Refusal(columns: columns, reason: reason))
    }

    private func refuse(_ index: Int, refusal: MergeRetryHints.Refusal) {
        guard refusals[index] == nil else { return }
        refusals[index] = refusal
        refused.append(index)
    }

    /// If a record that this merge has written and that is not deferred has the value, both are deferred in the next
    /// attempt.
    ///
    /// - Returns: Whether it has.
    private func watchContested(_ claim: UniqueClaim, by index: Int) throws -> Bool {
        let record = records[index]
        guard let holder = try claim.holder(of: record.entity, in: transaction),
            !deferred.has(holder.fingerprint, of: record.entity),
            let outcome = transaction.outcome(holder.fingerprint, of: record.entity),
            outcome == .inserted || outcome == .updated
        else { return false }
        guard state.retryHints.watch(try identity(of: holder, entity: record.entity), of: record.entity) else {
            return false
        }
        _ = state.retryHints.watch(record.identity, of: record.entity)
        isContested = true
        return true
    }

    /// If a record that was created locally has the value, it gives it up in the next attempt (Rules.md, C5).
    ///
    /// - Returns: Whether it does.
    private func learnToMoveHolder(of claim: UniqueClaim, from index: Int) throws -> Bool {
        let (entity, order) = (records[index].entity, records[index].order)
        guard let holder = try claim.holder(of: entity, in: transaction), !deferred.has(holder.fingerprint, of: entity)
        else {
            return false
        }
        let identity = order.prefix(entity.wireKeyColumns.count).map(\.databaseValue)
        guard
            let resolution = try LocalDuplicates(state).resolution(holder, claim: claim, of: entity, identity: identity)
        else {
            return false
        }
        state.retryHints.duplicates.append(resolution)
        isContested = true
        return true
    }

    /// Returns the identity of a record of the store, which is the same in each attempt of the merge.
    private func identity(of key: [Cell], entity: MergeEntity) throws -> KeyFingerprint {
        guard let remote = entity.plan.remoteColumn else { return key.fingerprint }
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step() && find.cell(remote).isValue ? find.cell(remote).fingerprint : key.fingerprint
    }

    /// Also refuses the records that need what a refused record keeps.
    private func refuseFollowers() throws {
        var next = 0
        while next < refused.count {
            let index = refused[next]
            let record = records[index]
            next += 1
            for columns in try transaction.statements(of: record.entity).uniqueIndexes.get()
            where columns.contains(where: { record.before[$0] != nil }) {
                let claim = try UniqueClaim(
                    storedIn: columns, key: record.key, entity: record.entity, in: transaction, but: record.before)
                guard let claim, let holder = try claim.holder(of: record.entity, in: transaction),
                    holder.fingerprint != record.key.fingerprint
                else { continue }
                if let other = deferred.index(of: holder.fingerprint, entity: record.entity) {
                    try transaction.withoutChecks {
                        try transaction.writePlaceholders(
                            records[other].columns, of: records[other].key, entity: record.entity)
                    }
                    refuse(other, columns: columns)
                } else {
                    _ = try watchContested(claim, by: index)
                }
            }
            if !isContested, !record.isNew { _ = try write(index, values: record.before) }
        }
    }
}
