import LockstepEvolution

extension RecordMap {
    /// Merges a row. Whether the app's own unsaved changes stay depends on the policy.
    func merge(_ row: RowReader, into object: ManagedObject, policy: MergePolicy) {
        loading(row, into: object) {
            object.didChange(.synced)
            for column in plan.columns.indices where !object.hasChanged(column) {
                object.load(column, from: row)
            }
            if object.state == .changed { compareChanges(of: object, with: row, policy: policy) }
        }
    }

    /// Sets every property of an object from its row.
    func takeOver(_ row: RowReader, of object: ManagedObject) {
        loading(row, into: object) { for column in plan.columns.indices { object.load(column, from: row) } }
    }

    /// Runs `body`, which sets properties from a row: they do not count as changes of the app.
    private func loading(_ row: RowReader, into object: ManagedObject, body: () -> Void) {
        context.recorders.current?.willTakeOver(row, of: object)
        object.isLoading = true
        context.observation?.begin()
        defer {
            object.isLoading = false
            context.observation?.endLoading()
        }
        body()
    }

    private func compareChanges(of object: ManagedObject, with row: RowReader, policy: MergePolicy) {
        context.unsaved.conflicts[ObjectIdentifier(object)] = nil
        let touched = object.originalValues.filter { !row.databaseValue($0.column).isIdentical(to: $0.value) }
        guard !touched.isEmpty else { return }
        let columns = Set(touched.lazy.map(\.column).flatMap(plan.columnsTogether))
            .filter(object.hasChanged).sorted()
        // The object itself encodes the values for the comparison, because SQL may have encoded them in another way.
        let mine = ValueRow(of: object, columns: columns)
        for column in columns { object.load(column, from: row) }
        let theirs = ValueRow(of: object, columns: columns)
        for column in columns { object.load(column, from: mine.reader) }
        var disputed: [Int] = []
        for original in object.originalValues where columns.contains(original.column) {
            let column = original.column
            if theirs[column].isIdentical(to: original.value) { continue }
            if theirs[column].isIdentical(to: mine[column]) {
                object.setOriginal(column, to: theirs[column])
            } else {
                disputed.append(column)
            }
        }
        guard !disputed.isEmpty else { return }
        ConflictResolver(context).settleOrKeep(
            Conflict(object: object, columns: disputed.sorted(), theirs: theirs), policy: policy)
    }
}

extension EntityPlan {
    /// The columns that change together with this one: a foreign key is one value in all its columns, and the position
    /// among an owner's members means nothing without the owner.
    func columnsTogether(with column: Int) -> [Int] {
        guard case .foreignKey(let name) = columns[column].content, let relationship = relationship(named: name),
            case .toOne(columns: let together, position: let position, isRequired: _) =
                relationships[relationship].kind
        else { return [column] }
        return together + (position.map { [$0] } ?? [])
    }
}
