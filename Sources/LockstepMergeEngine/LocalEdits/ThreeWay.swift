import LockstepTables

/// A record's values as both sides last knew them, as they are locally, and as the server has them. It decides which
/// side counts for each column (Rules.md, C2).
///
/// It reads and writes nothing: it is a decision about values.
struct ThreeWay<Value> {
    /// The values before the first unconfirmed local change; `nil` if there are none that both sides knew.
    let base: [Value]?
    let local: [Value]
    /// The server's values; `nil` for columns that the payload lacks.
    let remote: [Value?]
    /// Whether two values of a column are the same, however they are encoded.
    let isSame: (_ column: Int, Value, Value) -> Bool

    enum Side { case local, remote }

    /// How some columns that belong together changed.
    enum Change {
        /// Both sides have the same values.
        case none
        case local, remote
        /// Both sides have changed them, to different values.
        case both
    }

    /// How columns changed that belong together, such as those of a key of several values.
    func change(of unit: [Int]) -> Change {
        let reported = unit.filter { remote[$0] != nil }
        let differs = reported.contains { column in remote[column].map { !isSame(column, $0, local[column]) } ?? false }
        guard differs else { return .none }
        guard let base else { return .both }
        let isChangedLocally = unit.contains { !isSame($0, base[$0], local[$0]) }
        let isChangedRemotely = reported.contains { column in
            remote[column].map { !isSame(column, $0, base[column]) } ?? false
        }
        return isChangedLocally ? (isChangedRemotely ? .both : .local) : .remote
    }

    /// Decides all columns.
    ///
    /// - Parameters:
    ///   - shape: Which columns belong together.
    ///   - winner: Which side counts if both have changed something. It is called at most once, and only in this case.
    func decide(_ shape: ColumnUnits, winner: () -> Side) -> ColumnDecision {
        var decision = ColumnDecision()
        var side: Side?
        for unit in shape.units {
            let change = change(of: unit)
            if change == .both {
                unit.forEach { decision.conflicts.insert($0) }
                side = side ?? winner()
            }
            if change == .local || change == .both && side == .local { unit.forEach { decision.kept.insert($0) } }
        }
        // A position is valid for one owner: it is kept if the owner is kept.
        for (position, foreignKey) in shape.positions where foreignKey.contains(where: decision.kept.contains) {
            decision.kept.insert(position)
            decision.conflicts.remove(position)
        }
        return decision
    }
}

extension ThreeWay {
    /// The value of a column after a decision. If the server wins columns that belong together, and the payload lacks
    /// one of them, the server has the value of the base in it.
    func value(of column: Int, after decision: ColumnDecision) -> Value {
        if decision.kept.contains(column) { return local[column] }
        return remote[column] ?? (decision.conflicts.contains(column) ? base?[column] : nil) ?? local[column]
    }
}

/// Which columns of a record keep their local values.
struct ColumnDecision: Equatable {
    /// They differ from the server's, and are kept.
    var kept = ColumnSet()
    /// Both sides have changed them, to different values.
    var conflicts = ColumnSet()
}

/// Which columns of an entity are decided together.
struct ColumnUnits {
    private(set) var units: [[Int]] = []
    /// The position in an ordered list, with the foreign key to the list's owner.
    private(set) var positions: [(position: Int, foreignKey: [Int])] = []

    init(units: [[Int]], positions: [(position: Int, foreignKey: [Int])] = []) {
        self.units = units
        self.positions = positions
    }

    init(_ plan: EntityPlan) {
        units = plan.together
        var taken = Set(plan.keyColumns + units.joined())
        for relationship in plan.relationships {
            guard case .toOne(let columns, let position, _) = relationship.kind else { continue }
            if let position { positions.append((position, columns)) }
            // If two relationships share a column, or one is part of the identity, each column is decided separately.
            guard columns.count > 1, taken.isDisjoint(with: columns) else { continue }
            units.append(columns)
            taken.formUnion(columns)
        }
        // A version, and what only the server sets, always take the server's value.
        taken.formUnion(plan.readOnlyColumns + [plan.versionColumn].compactMap(\.self))
        units += plan.columns.indices.filter { !taken.contains($0) }.map { [$0] }
    }
}
