import Foundation
import GRDB
import LockstepTables

// Records that the app merges itself.
extension HookCaller {
    /// Keeps a record until the others of the batch are written.
    func keepForReplacement(_ raw: RawRecord, of entity: MergeEntity) throws {
        let table = staging.tables[raw.table]
        try reader.checkIdentity(RecordReader.StagedRow(entity: entity, table: table, row: raw.row, record: 0))
        guard !staging.isSkipped(raw.row, of: raw.table) else { return }
        table.origins[raw.row].isReplaced = true
        staging.replacements.append(raw)
    }

    /// Gives the records to the app, in the order of the payload.
    func replaceRecords() throws {
        for raw in staging.replacements where !staging.isSkipped(raw.row, of: raw.table) {
            try transaction.checkCancellation()
            try replace(raw, of: transaction.plan.entities[raw.table])
        }
    }

    private func replace(_ raw: RawRecord, of entity: MergeEntity) throws {
        guard let replace = entity.hooks?.replace else { return }
        let table = staging.tables[raw.table]
        let isLocal = entity.plan.remoteColumn != nil
        let key = entity.isOwned ? nil : table.key(of: raw.row)
        var outcome: MergeOutcome?
        do {
            let json = try JSONValue(raw)
            let context = context(raw, of: entity, localIdentity: isLocal ? key?.uuid : nil)
            try transaction.changes.suppressOutbox(transaction.database)
            // If it throws, what it has written is rolled back.
            try transaction.database.inSavepoint {
                outcome = try replace(json, context, transaction.database)
                return .commit
            }
        } catch {
            // An error that ended the transaction, or that prevents any other work on the database, is not the
            // record's.
            guard transaction.database.isInsideTransaction, !((error as? DatabaseError)?.isOfDatabase ?? false) else {
                throw error
            }
            return try hookFailed(error, named: "replace", raw: raw, of: entity, recording: key)
        }
        if outcome == nil { leaveOut(raw, of: entity, reason: "was left out by replace") }
        if let key { transaction.record(Self.outcome(outcome), of: entity, fingerprint: key.fingerprint, key: key) }
    }

    private func hookFailed(
        _ error: any Error, named name: String, raw: RawRecord, of entity: MergeEntity, recording key: RecordKey?
    ) throws {
        try hookFailed(error, named: name, raw: raw, of: entity)
        transaction.reportSkipped()
        // The server lists it nevertheless.
        if let key { transaction.record(.listed, of: entity, fingerprint: key.fingerprint, key: key) }
    }

    private static func outcome(_ outcome: MergeOutcome?) -> KeyRegistry.Outcome {
        switch outcome {
        case nil: .listed
        case .unchanged: .unchanged
        case .updated: .updated
        case .inserted: .inserted
        case .deleted: .deleted
        }
    }
}

extension DatabaseError {
    /// Whether the error is about the database or the disk, rather than about the values to write.
    fileprivate var isOfDatabase: Bool {
        switch resultCode.primaryResultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CORRUPT,
            .SQLITE_READONLY, .SQLITE_INTERRUPT:
            true
        default: false
        }
    }
}
