import GRDB

/// The columns of a record that were changed both in this context and elsewhere, to different values.
struct Conflict {
    let object: ManagedObject
    /// The columns in question.
    let columns: [Int]
    /// The store's values of those columns and of the ones that belong to them.
    let theirs: ValueRow
}

/// Resolves conflicts between a context's changes and what was saved elsewhere, according to a merge policy.
struct ConflictResolver {
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    /// Resolves what a policy can resolve, and throws what the app must resolve.
    func settleAll() throws {
        if !context.unsaved.formerOrders.isEmpty { try context.orders.settle() }
        guard !context.unsaved.conflicts.isEmpty else { return }
        for object in context.unsaved.changed {
            guard let conflict = context.unsaved.conflicts[ObjectIdentifier(object)] else { continue }
            if object.state == .changed { try settle(conflict, policy: context.mergePolicy) }
            context.unsaved.conflicts[ObjectIdentifier(object)] = nil
        }
        context.unsaved.conflicts = [:]
    }

    /// Resolves a conflict, or keeps it for the save.
    func settleOrKeep(_ conflict: Conflict, policy: MergePolicy) {
        do { try settle(conflict, policy: policy) } catch {
            context.unsaved.conflicts[ObjectIdentifier(conflict.object)] = conflict
        }
    }

    private func settle(_ conflict: Conflict, policy: MergePolicy) throws {
        let object = conflict.object
        if policy != .error { context.recorders.didChangeUnderneath(object) }
        switch policy {
        case .contextWins:
            for column in conflict.columns { object.setOriginal(column, to: conflict.theirs[column]) }
        case .storeWins:
            object.isLoading = true
            defer { object.isLoading = false }
            let columns = Set(conflict.columns.flatMap(object.plan.columnsTogether))
            for column in columns.sorted() where object.hasChanged(column) {
                object.load(column, from: conflict.theirs.reader)
                object.forgetChange(column)
            }
            if object.originalValues.isEmpty {
                object.state = .stored
                context.unsaved.removeChanged(object)
            }
            context.identityMap.unloadLinks()
        case .error:
            // The app may have set the store's value itself in the meantime.
            let column = conflict.columns.first { !object.storedValue($0).isIdentical(to: conflict.theirs[$0]) }
            guard let column else { return }
            throw StoreError(
                .conflict, doing: "changing", entity: object.plan.name, record: object.recordKey.text,
                attribute: object.plan.columns[column].memberName,
                reason: "another value was saved elsewhere since it was changed in this context",
                remedy: """
                    Call `refresh(_:)` to keep this context's changes, `refresh(_:keepingChanges: false)` to take the \
                    store's values; or set `mergePolicy`.
                    """)
        }
    }
}
