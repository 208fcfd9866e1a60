import GRDB
import LockstepTables

/// Writes rows that were refused because of unique values, among the records of a batch.
///
/// Records that exchange values, in pairs or longer cycles, all get theirs. Records that cannot have their values now
/// are deferred until the end of the merge (see ``DeferredUniqueValues``).
struct UniqueConflicts {
    typealias Refusal = TableMerge.Refusal

    private let merge: TableMerge
    private let transaction: MergeTransaction
    private var entity: MergeEntity { merge.entity }

    init(_ merge: TableMerge) {
        self.merge = merge
        transaction = merge.transaction
    }

    /// `another record has the same owner and slug`
    static func reason(_ columns: [Int], of entity: MergeEntity) -> String {
        var names: [String] = []
        for column in columns where !names.contains(entity.plan.columns[column].memberName) {
            names.append(entity.plan.columns[column].memberName)
        }
        return "another record has the same \(names.joined(separator: " and "))"
    }

    /// Writes the refused rows, as far as possible.
    ///
    /// - Returns: The rows that must be deferred.
    func resolve() throws -> [Refusal] {
        guard !merge.refused.isEmpty else { return [] }
        var open = try retry(merge.refused.sorted { $0.write.row < $1.write.row })
        if open.isEmpty { return [] }
        let claims = try Claims(open, merge: merge)
        try transaction.withoutChecks {
            for refusal in open where refusal.write.columns != nil {
                try transaction.writePlaceholders(
                    merge.uniqueColumns(refusal.write), of: merge.table.key(refusal.write.row), entity: entity)
            }
        }
        open = try retry(open)
        return try open.isEmpty ? [] : claims.withFollowers(of: open) + contenders(of: open)
    }

    /// Retries while that is productive: if each of 100,000 records needs the value of the next one, each attempt may
    /// write only one of them, so they are deferred instead.
    private func retry(_ refused: [Refusal]) throws -> [Refusal] {
        var open = refused
        while true {
            let left = try open.compactMap { try merge.attempt($0.write) }
            if left.count * 2 > open.count || left.isEmpty { return left }
            open = left
        }
    }

    /// The records of the batch that have values which others need: which of them keeps its value is decided at the
    /// end.
    private func contenders(of refused: [Refusal]) throws -> [Refusal] {
        try refused.compactMap { refusal in
            let claim = try UniqueClaim(refusal.columns, of: refusal.write.row, merge: merge)
            guard let holder = try claim.holder(of: entity, in: transaction),
                let write = merge.write(of: holder, in: claim.columns)
            else { return nil }
            return Refusal(write: write, columns: claim.columns)
        }
    }
}

/// The values that refused records of a batch need, and those that they had.
private struct Claims {
    private var wanting: [UniqueClaim: [TableMerge.Refusal]] = [:]
    private var had: [Int: [UniqueClaim]] = [:]

    init(_ refused: [TableMerge.Refusal], merge: TableMerge) throws {
        for refusal in refused {
            guard let written = refusal.write.columns else { continue }
            for columns in try merge.uniqueIndexes where columns.contains(where: written.contains) {
                let row = refusal.write.row
                wanting[try UniqueClaim(columns, of: row, merge: merge), default: []].append(refusal)
                let before = try UniqueClaim(
                    storedIn: columns, key: merge.table.key(row), entity: merge.entity, in: merge.transaction)
                if let before { had[row, default: []].append(before) }
            }
        }
    }

    /// The rows that must be deferred, with those that need the values which these keep meanwhile, and so on.
    func withFollowers(of refused: [TableMerge.Refusal]) -> [TableMerge.Refusal] {
        var found = refused
        var rows = Set(refused.map(\.write.row))
        var next = 0
        while next < found.count {
            for claim in had[found[next].write.row] ?? [] {
                for refusal in wanting[claim] ?? [] where rows.insert(refusal.write.row).inserted {
                    found.append(refusal)
                }
            }
            next += 1
        }
        return found
    }
}
