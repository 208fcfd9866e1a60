import GRDB

/// What was changed of a record both here and elsewhere, to different values.
struct Conflict {
    let object: ManagedObject
    /// The columns in question.
    let columns: [Int]
    /// What the store has, in those columns and in the ones that go with them.
    let theirs: ValueRow
}

extension Context {
    /// Settles what a policy can settle; throws what the app must.
    func settleConflicts() throws {
        if !formerOrders.isEmpty { try settleOrders() }
        guard !conflicts.isEmpty else { return }
        for object in changed {
            guard let conflict = conflicts[ObjectIdentifier(object)] else { continue }
            if object.recordState == .changed { try settle(conflict, mergePolicy) }
            conflicts[ObjectIdentifier(object)] = nil
        }
        conflicts = [:]
    }

    /// Settles a conflict, or keeps it for the save.
    func settleOrKeep(_ conflict: Conflict, _ policy: MergePolicy) {
        do { try settle(conflict, policy) } catch { conflicts[ObjectIdentifier(conflict.object)] = conflict }
    }

    private func settle(_ conflict: Conflict, _ policy: MergePolicy) throws {
        let object = conflict.object
        if policy != .error { noteChangedUnderneath(object) }
        switch policy {
        case .contextWins:
            for column in conflict.columns { object.setOriginal(column, conflict.theirs[column]) }
        case .storeWins:
            object.isLoading = true
            defer { object.isLoading = false }
            let columns = Set(conflict.columns.flatMap(object.plan.columnsTogether))
            for column in columns.sorted() where object.changedColumns.contains(column) {
                object.load(column, from: conflict.theirs.reader)
                object.forgetChange(column)
            }
            if object.changedColumns.isEmpty {
                object.recordState = .stored
                changed.removeAll { $0 === object }
            }
            unloadLinks()
        case .error:
            // The app may have set the store's value itself meanwhile.
            guard let column = conflict.columns.first(where: { object.storedValue($0) != conflict.theirs[$0] }) else {
                return
            }
            throw StoreError(
                .conflict, doing: "changing", entity: object.plan.name, record: object.recordKey.text,
                attribute: object.plan.columns[column].memberName,
                reason: "another value was saved elsewhere since it was changed here",
                remedy: """
                    Call `refresh(_:)` to keep this context's changes, `refresh(_:keepingChanges: false)` to take the \
                    store's values; or set `mergePolicy`.
                    """)
        }
    }
}

extension RecordMap {
    /// Takes over a row. The app's own unsaved changes stay, or not, as the policy says.
    func merge(_ row: RowReader, into object: ManagedObject, policy: MergePolicy) {
        context.changeRecorder?.willTakeOver(row, object)
        object.isLoading = true
        defer { object.isLoading = false }
        for column in plan.columns.indices where !object.changedColumns.contains(column) {
            object.load(column, from: row)
        }
        if object.recordState == .changed { compareChanges(of: object, with: row, policy) }
    }

    private func compareChanges(of object: ManagedObject, with row: RowReader, _ policy: MergePolicy) {
        context.conflicts[ObjectIdentifier(object)] = nil
        let touched = object.originalValues.filter { !RecordKey.isIdentical(row.databaseValue($0.column), $0.value) }
        guard !touched.isEmpty else { return }
        let columns = Set(touched.lazy.map(\.column).flatMap(plan.columnsTogether))
            .filter(object.changedColumns.contains).sorted()
        // The object itself is asked how a value of the row is stored: SQL may have spelt it in another way.
        let mine = ValueRow(of: object, columns)
        for column in columns { object.load(column, from: row) }
        let theirs = ValueRow(of: object, columns)
        for column in columns { object.load(column, from: mine.reader) }
        var disputed: [Int] = []
        for original in object.originalValues where columns.contains(original.column) {
            let column = original.column
            if RecordKey.isIdentical(theirs[column], original.value) { continue }
            if RecordKey.isIdentical(theirs[column], mine[column]) {
                object.setOriginal(column, theirs[column])
            } else {
                disputed.append(column)
            }
        }
        guard !disputed.isEmpty else { return }
        context.settleOrKeep(Conflict(object: object, columns: disputed.sorted(), theirs: theirs), policy)
    }
}

extension EntityPlan {
    /// The columns that take a value together with this one: a foreign key is one value in all its columns, and the
    /// place among an owner's members means nothing without the owner.
    func columnsTogether(with column: Int) -> [Int] {
        guard case .foreignKey(let name) = columns[column].content, let relationship = relationship(named: name),
            case .toOne(columns: let together, position: let position, isRequired: _) =
                relationships[relationship].kind
        else { return [column] }
        return together + (position.map { [$0] } ?? [])
    }
}
