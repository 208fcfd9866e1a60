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
    /// - Returns: The records that cannot be written.
    func settle(mayWait: Bool) throws -> [Refusal] {
        guard !merge.refused.isEmpty else { return [] }
        var open = try retry(merge.refused.sorted { isSmaller($0.write.row, $1.write.row) })
        guard !open.isEmpty else { return [] }
        let indexed = Set(try merge.uniqueIndexes.joined())
        for refusal in open {
            guard let columns = refusal.write.columns else { continue }
            let changed = entity.plan.columns.indices.filter { columns.contains($0) && indexed.contains($0) }
            try run.park(changed, of: merge.table.key(refusal.write.row), entity)
        }
        open = try retry(open)
        return try open.isEmpty ? [] : losers(open, mayWait: mayWait)
    }

    /// Tries again as long as that leads to something.
    private func retry(_ refused: [Refusal]) throws -> [Refusal] {
        var open = refused
        while true {
            let left = try open.compactMap { try merge.attempt($0.write) }
            if left.isEmpty || left.count == open.count { return left }
            open = left
        }
    }

    // MARK: Who gets a value

    /// A value, or values of several columns, that one record can have.
    private struct Claim: Hashable {
        let columns: [Int]
        let values: [DatabaseValue]
    }

    private func losers(_ open: [Refusal], mayWait: Bool) throws -> [Refusal] {
        var order: [Claim] = []
        var contenders: [Claim: [Refusal]] = [:]
        for refusal in open {
            let claim = Claim(columns: refusal.columns, values: try values(of: refusal))
            if contenders[claim] == nil { order.append(claim) }
            contenders[claim, default: []].append(refusal)
        }
        var losers: [Refusal] = []
        for claim in order {
            guard let refused = contenders[claim] else { continue }
            losers += try self.losers(of: claim, refused, mayWait: mayWait)
        }
        return losers
    }

    /// - Parameter refused: The smallest first.
    private func losers(of claim: Claim, _ refused: [Refusal], mayWait: Bool) throws -> [Refusal] {
        guard let holder = try holder(of: claim) else { return refused }
        if let write = merge.write(of: holder, in: claim.columns) {
            let rival = Refusal(write: write, columns: claim.columns)
            // The smallest of all is written in the next round.
            if isSmaller(refused[0].write.row, write.row) { return Array(refused.dropFirst()) + [rival] }
            return refused
        }
        let isListed = merge.has(holder)
        guard mayWait, !isListed else { return refused }
        // It may be free at the end; and of several, the smallest gets it.
        for refusal in refused { try run.parked.add(refusal, merge) }
        return []
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
