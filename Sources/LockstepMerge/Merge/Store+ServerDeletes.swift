package import LockstepStore

extension Store {
    /// Deletes records that the server says are gone, in one transaction, as a merge does: quietly, with what their
    /// delete rules take along, and never one with pending changes unless the policy says so (Rules.md, C3).
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identities: What the server knows the records by. Those that are not here are passed over.
    ///   - options: `conflicts`, `before`, `after` and `isDryRun` count.
    /// - Returns: What was done. A record that is to be made on the server again counts as unchanged.
    /// - Throws: `StoreError` where the store cannot be written; `MergeError` where a policy cannot decide.
    @discardableResult
    package func applyServerDeletes<Object: Model>(
        of type: Object.Type, identities: [RemoteIdentity], options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        var options = options
        // There is no list: what is not named stays.
        options.records = []
        return try await merging(type, .all, options) { run, cancellation in
            for identity in identities {
                try cancellation.check()
                guard let key = try run.transaction.key(of: identity, in: run.root),
                    try run.state.isKnown(key, run.root)
                else { continue }
                run.state.scheduleDelete(key, run.root)
            }
        }
    }
}

extension MergeTransaction {
    /// The key that a record has here; `nil` where the identity is none of the entity's.
    fileprivate func key(of identity: RemoteIdentity, in entity: MergeEntity) throws -> [Cell]? {
        let columns = entity.wireKeyColumns
        guard columns.count == identity.values.count else { return nil }
        var cells: [Cell] = []
        for (column, value) in zip(columns, identity.values) {
            guard let cell = try cell(value, of: entity, column) else { return nil }
            cells.append(cell)
        }
        guard entity.plan.remoteColumn != nil else { return cells }
        guard try identities.isHere(cells[0], in: entity) else { return nil }
        return [try identities.key(of: cells[0], in: entity)]
    }

    /// A value of the identity as the column holds it, by the rules of reading JSON.
    private func cell(_ value: JSONValue, of entity: MergeEntity, _ column: Int) throws -> Cell? {
        var writer = JSONWriter()
        do { try writer.write(value) } catch { return nil }
        let bytes = writer.bytes.withUnsafeBufferPointer { staging.arena.copy($0) }
        var scanner = JSONScanner(bytes)
        let reader = entity.reader(column).takeUnretainedValue()
        var problem: ValueProblem?
        let cell = try reader.read(&scanner, staging.arena, &problem)
        return problem == nil && cell.isValue ? cell : nil
    }

}

extension MergeState {
    /// Whether a record is in the store, or its delete is pending.
    fileprivate func isKnown(_ key: [Cell], _ entity: MergeEntity) throws -> Bool {
        if try local?.edits(of: entity)?.pending(of: key) != nil { return true }
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step()
    }
}
