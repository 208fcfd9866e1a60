import GRDB
import LockstepStore

/// Settles who gets a value that is there once, among the records of a batch.
///
/// Records that give up values for each other, two that change places or more in a ring, all get theirs. Where two
/// records of the payload want the same value, the one with the smallest identity gets it, in whatever order they come.
/// A record that is not in the payload keeps what it has.
struct UniqueConflicts {
    typealias Refusal = TableMerge.Refusal

    private let merge: TableMerge
    private let run: MergeRun
    private var entity: MergeEntity { merge.entity }

    init(_ merge: TableMerge, _ run: MergeRun) {
        self.merge = merge
        self.run = run
    }

    /// `another record has the same owner and slug`
    static func reason(_ columns: [Int], _ entity: MergeEntity) -> String {
        var names: [String] = []
        for column in columns where !names.contains(entity.plan.columns[column].memberName) {
            names.append(entity.plan.columns[column].memberName)
        }
        return "another record has the same \(names.joined(separator: " and "))"
    }

    /// Writes what was refused, if that is possible now.
    ///
    /// - Parameter mayWait: Whether a value that a record outside of the batch has may be free at the end of the merge.
    func settle(mayWait: Bool) throws -> Verdict {
        guard !merge.refused.isEmpty else { return Verdict() }
        var open = try retry(merge.refused.sorted { isSmaller($0.write.row, $1.write.row) })
        try run.withoutChecks {
            for refusal in open where refusal.write.columns != nil {
                try run.park(merge.uniqueColumns(refusal.write), of: merge.table.key(refusal.write.row), entity)
            }
        }
        open = try open.isEmpty ? [] : retry(open)
        return try open.isEmpty ? Verdict() : verdict(open, mayWait: mayWait)
    }

    /// What becomes of records that cannot be written now.
    struct Verdict {
        /// They are left out.
        var losers: [Refusal] = []
        /// They may have their values at the end of the merge.
        var waiting: [Refusal] = []

        var isEmpty: Bool { losers.isEmpty && waiting.isEmpty }
    }

    /// Tries again as long as that leads far: where 100,000 records each want what the next one has, a try may settle no
    /// more than one of them, and all are parked instead.
    private func retry(_ refused: [Refusal]) throws -> [Refusal] {
        var open = refused
        while true {
            let left = try open.compactMap { try merge.attempt($0.write) }
            if left.count * 2 > open.count || left.isEmpty { return left }
            open = left
        }
    }

    // MARK: Who gets a value

    /// A value, or values of several columns, that one record can have.
    private struct Claim: Hashable {
        let columns: [Int]
        let values: [DatabaseValue]
    }

    private func verdict(_ open: [Refusal], mayWait: Bool) throws -> Verdict {
        var order: [Claim] = []
        var contenders: [Claim: [Refusal]] = [:]
        for refusal in open {
            let claim = Claim(columns: refusal.columns, values: try values(of: refusal))
            if contenders[claim] == nil { order.append(claim) }
            contenders[claim, default: []].append(refusal)
        }
        var verdict = Verdict()
        for claim in order {
            if let refused = contenders[claim] { try judge(claim, refused, mayWait: mayWait, &verdict) }
        }
        return verdict
    }

    /// - Parameter refused: The smallest first.
    private func judge(_ claim: Claim, _ refused: [Refusal], mayWait: Bool, _ verdict: inout Verdict) throws {
        guard let holder = try holder(of: claim) else {
            verdict.losers += refused
            return
        }
        // It may be free at the end, where the holder itself waits for another value, or may go.
        if merge.isWaiting(holder) || run.parked.has(holder, entity) || mayWait && !merge.has(holder) {
            verdict.waiting += refused
        } else if let write = merge.write(of: holder, in: claim.columns), isSmaller(refused[0].write.row, write.row) {
            // The smallest of all is written in the next round.
            verdict.losers += refused.dropFirst() + [Refusal(write: write, columns: claim.columns)]
        } else {
            verdict.losers += refused
        }
    }

    /// The values that a record wants in the columns of an index.
    private func values(of refusal: Refusal) throws -> [DatabaseValue] {
        let cells = merge.table.row(refusal.write.row)
        guard refusal.columns.contains(where: { cells[$0].kind == .absent }) else {
            return refusal.columns.map { cells[$0].databaseValue }
        }
        // What the payload does not say stays as it is.
        let find = try run.statements(of: entity).find.get()
        find.bind(merge.table.key(refusal.write.row))
        defer { find.reset() }
        let isThere = try find.step()
        return refusal.columns.map { column in
            if cells[column].kind != .absent { return cells[column].databaseValue }
            return isThere ? find.cell(column).databaseValue : .null
        }
    }

    /// The key of the record that has the values.
    private func holder(of claim: Claim) throws -> [Cell]? {
        let plan = entity.plan
        let names = { (columns: [Int]) in columns.map { plan.columns[$0].name } }
        let arena = run.staging.arena
        let statement = try RawStatement(
            """
            SELECT \(names(plan.keyColumns).map(SQLName.quoted).joined(separator: ", ")) \
            FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(names(claim.columns)))
            """, run.database)
        statement.bind(claim.values.map { Cell($0, arena: arena) })
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return plan.keyColumns.indices.map { statement.cell($0).copied(to: arena) }
    }

    /// Whether the identity that the server gives a row is smaller than another's.
    private func isSmaller(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (merge.table.row(left), merge.table.row(right))
        for column in entity.wireKeyColumns + entity.plan.keyColumns {
            let order = left[column].order(against: right[column])
            if order != 0 { return order < 0 }
        }
        return false
    }
}
