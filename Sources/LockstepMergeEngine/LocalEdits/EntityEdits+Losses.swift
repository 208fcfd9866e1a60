import GRDB
import LockstepEvolution
import LockstepTables

// What a decision overwrites (Rules.md, C6).
extension EntityEdits {
    /// The policy that decides, by its name in the journal.
    var rule: ConflictEntry.Rule {
        switch kind {
        case .serverWins: .serverWins
        case .localChangesWin: .localChangesWin
        case .newestWins: .newestWins
        case .custom: .custom
        }
    }

    /// A conflict with what its decision overwrites; `nil` if there is none.
    func conflict(_ decision: ColumnDecision, rows: ThreeWay<Cell>, isUnclaimed: Bool = false) -> ResolvedConflict? {
        guard !decision.conflicts.isEmpty else { return nil }
        let rule: ConflictEntry.Rule = isUnclaimed ? .localChangesWin : self.rule
        if rule == .custom {
            return ResolvedConflict(columns: decision.conflicts, winner: .function, rule: rule, losses: [])
        }
        // One side wins all of them.
        let isLocal = rows.local.indices.contains { decision.conflicts.contains($0) && decision.kept.contains($0) }
        return ResolvedConflict(
            columns: decision.conflicts, winner: isLocal ? .local : .server, rule: rule,
            losses: losses(rows, result: rows.local.indices.map { rows.value(of: $0, after: decision) }))
    }

    /// The values that one side has changed, and that a record does not have afterwards.
    ///
    /// - Parameters:
    ///   - result: The record's values afterwards; `nil` if it is deleted.
    ///   - side: The side that has deleted the record. Its values in `rows` are those of the base.
    func losses(
        _ rows: ThreeWay<Cell>, result: [Cell]?, deletedBy side: ConflictEntry.Side? = nil
    ) -> [ConflictTable.Loss] {
        let sent = side == nil ? nil : Set(entity.plan.travellingColumns)
        // What the payload lacks, the server has not changed.
        let rows = ThreeWay(
            base: rows.base, local: rows.local, remote: rows.local.indices.map { rows.remote[$0] ?? rows.base?[$0] },
            isSame: rows.isSame)
        var losses: [ConflictTable.Loss] = []
        for (member, columns) in units.units.flatMap(values) where sent?.isSuperset(of: columns) ?? true {
            let change = rows.change(of: columns)
            func add(_ lost: ConflictEntry.Side, value: (Int) -> Cell) {
                if let result, columns.allSatisfy({ isSame($0, left: value($0), right: result[$0]) }) { return }
                if losses.contains(where: { $0.member == member && $0.lost == lost }) { return }
                losses.append(loss(of: member, rows: rows, lost: lost, deletedBy: side))
            }
            if change == .local || change == .both { add(.local) { rows.local[$0] } }
            if change == .remote || change == .both { add(.remote) { server($0, in: rows) } }
        }
        return losses
    }

    private func server(_ column: Int, in rows: ThreeWay<Cell>) -> Cell {
        rows.remote[column] ?? rows.local[column]
    }

    /// The attributes and to-one relationships that have some columns, with their columns. A position is not a value of
    /// its own.
    private func values(of unit: [Int]) -> [(member: String, columns: [Int])] {
        var values: [(member: String, columns: [Int])] = []
        for column in unit {
            guard let name = entity.plan.columns[column].content.value else { continue }
            if values.last?.member == name {
                values[values.count - 1].columns.append(column)
            } else {
                values.append((name, [column]))
            }
        }
        return values
    }

    private func loss(
        of member: String, rows: ThreeWay<Cell>, lost: ConflictEntry.Side, deletedBy side: ConflictEntry.Side?
    ) -> ConflictTable.Loss {
        let plan = entity.plan
        let columns =
            plan.column(ofAttribute: member).map { [$0] } ?? plan.relationship(named: member).map {
                plan.foreignKeys[$0]
            }
            ?? []
        return ConflictTable.Loss(
            of: member, base: rows.base.map { base in columns.map { base[$0].databaseValue } },
            local: side == .local ? nil : columns.map { rows.local[$0].databaseValue },
            remote: side == .remote ? nil : columns.map { server($0, in: rows).databaseValue }, lost: lost)
    }
}
