import LockstepTables

// The sides of a conflict, and the base that results from a merge (Rules.md, C1 and C2).
extension EntityEdits {
    /// A base as far as both sides know it. If others may have created the same record, the values of a creation
    /// without a response are known only locally (Rules.md, P10), except those of a record that the server had (C3).
    func common(_ base: [Cell]?, pending: PendingEdit, of key: [Cell], remote: [Cell?]) throws -> [Cell]? {
        guard let base, pending.change == .create, pending.isSent, !entity.plan.hasOwnIdentity else { return base }
        let isWhatWasSent = zip(base, remote).enumerated().allSatisfy { column, values in
            guard values.0.isValue, let reported = values.1 else { return true }
            return isSame(column, left: values.0, right: reported)
        }
        if isWhatWasSent { return base }
        let isWhatServerHad =
            try former(of: key)?.allSatisfy { isSame($0.column, left: $0.cell, right: base[$0.column]) } ?? false
        return isWhatServerHad ? base : nil
    }

    /// The side that counts if both have changed something.
    func winner(of rows: ThreeWay<Cell>) -> ThreeWay<Cell>.Side {
        switch kind {
        case .serverWins: return .remote
        case .localChangesWin, .custom: return .local
        case .newestWins(let attribute):
            guard let column = entity.plan.column(ofAttribute: attribute) else { return .local }
            let remote = rows.remote[column] ?? rows.base?[column] ?? .null
            return rows.local[column].order(against: remote) > 0 ? .local : .remote
        }
    }

    /// The record as the server has it, as far as that is known.
    func overlaid(_ rows: ThreeWay<Cell>) -> [Cell] {
        rows.local.indices.map { column in
            guard let base = rows.base else { return rows.remote[column] ?? rows.local[column] }
            guard let remote = rows.remote[column] else { return base[column] }
            return isSame(column, left: remote, right: base[column]) ? base[column] : remote
        }
    }

    /// The record as the server has it; `nil` if the base is unchanged.
    ///
    /// If the record was created locally, values that the server has not reported are not known to be on the server:
    /// they are still to be sent.
    func newBase(_ rows: ThreeWay<Cell>) -> [Cell]? {
        guard let base = rows.base else {
            return rows.local.indices.map { column in
                let isKey = entity.plan.keyColumns.contains(column)
                return rows.remote[column] ?? (isKey ? rows.local[column] : .null)
            }
        }
        let overlaid = overlaid(rows)
        return zip(base, overlaid).allSatisfy { $0.isIdentical(to: $1) } ? nil : overlaid
    }
}
