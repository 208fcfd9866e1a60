import Foundation
import GRDB
import LockstepTables

/// Calls the functions by which an app changes or replaces records that are merged (Rules.md, M14).
struct HookCaller {
    let transaction: MergeTransaction
    let reader: RecordReader
    var staging: Staging { transaction.staging }
    private var identities: RemoteIdentities { transaction.identities }

    /// Calls the hooks of the records that were read last, and reads the JSON that they return into the existing rows
    /// of the records. Records nested in it may have hooks as well.
    ///
    /// It is called when a top-level record was read to its end: no hook gets an incomplete record.
    func callHooks() throws {
        guard !staging.raws.isEmpty else { return }
        defer { staging.raws.removeAll(keepingCapacity: true) }
        var next = 0
        while next < staging.raws.count {
            try callHook(staging.raws[next])
            next += 1
        }
    }

    private func callHook(_ raw: RawRecord) throws {
        let entity = transaction.plan.entities[raw.table]
        // Records nested in a record that is left out are left out as well.
        guard let hooks = entity.hooks, !staging.isSkipped(raw.row, of: raw.table) else { return }
        guard hooks.replace == nil else { return try keepForReplacement(raw, of: entity) }
        let isStored = try isStored(raw, of: entity)
        let operations = transaction.operations(of: staging.tables[raw.table].origins[raw.row])
        let isCalled = operations.contains(isStored ? .update : .insert)
        let hook = isStored ? hooks.willUpdate : hooks.willInsert
        if isCalled, let hook {
            let name = isStored ? "willUpdate" : "willInsert"
            let json: JSONValue?
            do { json = try hook(try JSONValue(raw), context(raw, of: entity)) } catch {
                return try hookFailed(error, named: name, raw: raw, of: entity)
            }
            guard let json else { return leaveOut(raw, of: entity, reason: "was left out by \(name)") }
            guard let bytes = bytes(of: json) else {
                let reason = "cannot be merged: \(name) returned a number that JSON cannot represent"
                return try reader.skip(raw.row, of: entity, problem: RecordProblem([], reason: reason))
            }
            try reader.read(bytes, from: 0, raw: raw, of: entity)
        } else {
            try reader.read(raw.bytes, from: raw.offset, raw: raw, of: entity)
        }
        if isStored || isCalled { recordStaged(raw, of: entity) }
    }

    // MARK: Whether a record exists

    /// Whether the record is in the store, or came earlier in the batch.
    private func isStored(_ raw: RawRecord, of entity: MergeEntity) throws -> Bool {
        let cells = staging.tables[raw.table].row(raw.row)
        let columns = entity.wireKeyColumns
        guard !columns.isEmpty else { return false }
        if columns.allSatisfy({ cells[$0].isValue }) {
            if staging.hooked[raw.table]?.contains(cells.fingerprint(ofKey: columns)) == true { return true }
            if entity.plan.remoteColumn != nil { return try identities.isStored(cells[columns[0]], in: entity) }
            return try hasRow(columns.map { cells[$0] }, of: entity)
        }
        guard entity.plan.remoteColumn != nil, cells[entity.plan.keyColumns[0]].kind == .text else { return false }
        return try hasRow([cells[entity.plan.keyColumns[0]]], of: entity)
    }

    private func hasRow(_ key: [Cell], of entity: MergeEntity) throws -> Bool {
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step()
    }

    /// Registers a record of the batch, so that another one with the same identity is an update.
    private func recordStaged(_ raw: RawRecord, of entity: MergeEntity) {
        let columns = entity.wireKeyColumns
        guard !columns.isEmpty, !staging.isSkipped(raw.row, of: raw.table) else { return }
        staging.hooked[raw.table, default: []].insert(
            staging.tables[raw.table].row(raw.row).fingerprint(ofKey: columns))
    }

    // MARK: What a hook gets and returns

    func context(_ raw: RawRecord, of entity: MergeEntity, localIdentity: UUID? = nil) -> HookContext {
        let origin = staging.tables[raw.table].origins[raw.row]
        let identity = wireIdentity(raw.row, in: staging.tables[raw.table])
        var parent: HookContext.Parent?
        if origin.isNested {
            let owner = staging.tables[Int(origin.ownerTable)]
            let values = wireIdentity(Int(origin.ownerRow), in: owner)
            parent = HookContext.Parent(
                entity: owner.entity.plan.name, identity: values.map { RecordKey($0).text }, values: values ?? [])
        }
        return HookContext(
            entity: entity.plan.name, identity: identity.map { RecordKey($0).text }, localIdentity: localIdentity,
            parent: parent, index: Int(origin.record),
            keyPath: staging.path(to: raw.row, of: raw.table).joined(separator: "."))
    }

    private func wireIdentity(_ row: Int, in table: StagedTable) -> [DatabaseValue]? {
        let cells = table.row(row)
        let columns = table.entity.wireKeyColumns
        guard !columns.isEmpty, columns.allSatisfy({ cells[$0].isValue }) else {
            return nil
        }
        return columns.map { cells[$0].databaseValue }
    }

    private func bytes(of json: JSONValue) -> UnsafeBufferPointer<UInt8>? {
        var writer = JSONWriter()
        do { try writer.write(json) } catch { return nil }
        return writer.bytes.withUnsafeBufferPointer { staging.arena.copy($0) }
    }

    /// Leaves out a record because a hook requested it: the record is not invalid, and the merge never ends because of
    /// it.
    func leaveOut(_ raw: RawRecord, of entity: MergeEntity, reason: String) {
        staging.skip(raw.row, of: raw.table)
        let origin = staging.tables[raw.table].origins[raw.row]
        transaction.recorder.skip(
            SkippedRecord(
                index: Int(origin.record), keyPath: staging.path(to: raw.row, of: raw.table).joined(separator: "."),
                entity: entity.plan.name,
                identity: wireIdentity(raw.row, in: staging.tables[raw.table]).map { RecordKey($0).text },
                reason: reason))
    }

    func hookFailed(_ error: any Error, named name: String, raw: RawRecord, of entity: MergeEntity) throws {
        if error is CancellationError { throw error }
        if let error = error as? JSONSyntaxError {
            return try reader.skip(
                raw.row, of: entity, problem: RecordProblem([], reason: "cannot be given to \(name): \(error)"))
        }
        guard transaction.options.invalidRecords == .abort else {
            // The error's description may contain values.
            return leaveOut(raw, of: entity, reason: "cannot be merged: \(name) threw \(type(of: error))")
        }
        let context = context(raw, of: entity)
        throw MergeError(
            .hook, entity: entity.plan.name, index: context.index, keyPath: context.keyPath,
            reason: "\(name) threw \(type(of: error))",
            remedy: "See `underlyingError`; or set `invalidRecords` to `.skip` to merge the others.",
            underlyingError: error)
    }
}
