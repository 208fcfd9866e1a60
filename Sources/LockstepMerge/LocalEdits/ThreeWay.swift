import LockstepStore

/// A record's values as both sides knew them last, as they are here, and as the server has them: says which side counts
/// for each column (Rules.md, C2).
///
/// Nothing is read or written here: it is a decision about values.
struct ThreeWay<Value> {
    /// Before the first change here that is not confirmed; `nil` where there is nothing that both sides knew.
    let base: [Value]?
    let local: [Value]
    /// `nil` where the server said nothing of a column.
    let remote: [Value?]
    /// Whether two values of a column are the same, however they are spelt.
    let isSame: (_ column: Int, Value, Value) -> Bool

    enum Side { case here, there }

    /// What became of some columns that go together.
    enum Change {
        /// Both sides have the same.
        case none
        case here, there
        /// Both sides have changed them, to different values.
        case both
    }

    /// How columns changed that go together, such as those of a key of several values.
    func change(of unit: [Int]) -> Change {
        let told = unit.filter { remote[$0] != nil }
        let differs = told.contains { column in remote[column].map { !isSame(column, $0, local[column]) } ?? false }
        guard differs else { return .none }
        guard let base else { return .both }
        let isChangedHere = unit.contains { !isSame($0, base[$0], local[$0]) }
        let isChangedThere = told.contains { column in
            remote[column].map { !isSame(column, $0, base[column]) } ?? false
        }
        return isChangedHere ? (isChangedThere ? .both : .here) : .there
    }

    /// Decides all columns.
    ///
    /// - Parameters:
    ///   - shape: Which columns go together.
    ///   - winner: Who counts where both sides have changed something; asked once, where that is so.
    func decide(_ shape: ColumnUnits, winner: () -> Side) -> ColumnDecision {
        var decision = ColumnDecision()
        var side: Side?
        for unit in shape.units {
            let change = change(of: unit)
            if change == .both {
                unit.forEach { decision.conflicts.insert($0) }
                side = side ?? winner()
            }
            if change == .here || change == .both && side == .here { unit.forEach { decision.kept.insert($0) } }
        }
        // A place counts for one owner: it stays with the one that stays.
        for (place, foreignKey) in shape.places where foreignKey.contains(where: decision.kept.contains) {
            decision.kept.insert(place)
            decision.conflicts.remove(place)
        }
        return decision
    }
}

/// Which columns of a record keep what they have here.
struct ColumnDecision: Equatable {
    /// They differ from the server's, and stay.
    var kept = ColumnSet()
    /// Both sides have changed them, to different values.
    var conflicts = ColumnSet()
}

/// Which columns of an entity are decided together.
struct ColumnUnits {
    private(set) var units: [[Int]] = []
    /// The place in an ordered list, with the foreign key to the list's owner.
    private(set) var places: [(place: Int, foreignKey: [Int])] = []

    init(units: [[Int]], places: [(place: Int, foreignKey: [Int])] = []) {
        self.units = units
        self.places = places
    }

    init(_ plan: EntityPlan) {
        var taken = Set(plan.keyColumns)
        for relationship in plan.relationships {
            guard case .toOne(let columns, let position, _) = relationship.kind else { continue }
            if let position { places.append((position, columns)) }
            // Where two relationships share a column, or one is part of the identity, each column goes alone.
            guard columns.count > 1, taken.isDisjoint(with: columns) else { continue }
            units.append(columns)
            taken.formUnion(columns)
        }
        // A version is the server's alone: there is nothing to decide, it follows.
        if let version = plan.versionColumn { taken.insert(version) }
        units += plan.columns.indices.filter { !taken.contains($0) }.map { [$0] }
    }
}
