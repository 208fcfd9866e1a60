import Foundation
import GRDB
import LockstepStore

/// Records, in a transaction, that the server has taken a change.
struct Confirmation {
    let database: Database
    let changes: RawChanges
    let plans: SchemaPlan

    private var adoption: IdentityAdoption { IdentityAdoption(database: database, changes: changes, plans: plans) }

    /// - Parameter unapplied: The values that the server has not applied: each stays a change, and is parked.
    func write(_ record: PushRecord, response: ResponseRecord, unapplied: [UnappliedValue]) throws {
        var adopted: (column: Int, value: DatabaseValue)?
        var known: [DatabaseValue]?
        if record.kind == .create, let identity = response.identity {
            try IdentitySpellings.note(identity.values, of: record.plan, in: database)
        }
        if record.kind == .create, let column = record.plan.remoteColumn, let part = response.identity?.values.first {
            let value = try part.stored(in: record.plan.columns[column])
            known = try adoption.adopt(value, column: column, for: record.key, of: record.plan)
            adopted = (column, value)
        }
        for settled in record.settled {
            var snapshot = settled.snapshot
            if let adopted, settled.plan === record.plan, settled.change.key == record.key {
                snapshot.row?[adopted.column] = adopted.value
                for column in record.plan.travellingColumns {
                    if let known { snapshot.row?[column] = known[column] }
                }
            }
            // A record whose change stays keeps the change of the one that it is sent with, which is reported.
            let isOwn = settled.recordID == record.recordID
            let rest = unapplied.filter { isOwn || $0.sent.recordID == settled.recordID }
            guard !rest.isEmpty, !isOwn || known == nil else {
                try OutboxWriter(database, plan: settled.plan).confirm(snapshot)
                continue
            }
            let own = rest.filter { $0.sent.recordID == settled.recordID }
            if own.contains(where: \.sent.isRecord) {
                // Nothing of it was applied, and the server has it, or lacks it, as before.
                let columns = settled.plan.ownerColumns.flatMap(\.self)
                try OutboxWriter(database, plan: settled.plan).confirmRemoval(of: settled.change, columns: columns)
                try park(settled.change, of: settled, unapplied: rest)
            } else {
                try confirm(snapshot.without(own), of: settled, unapplied: rest)
            }
        }
        if !unapplied.isEmpty {
            let reason = PushRecord.reason(ofUnapplied: unapplied, at: record.recordID)
            try OutboxWriter(database, plan: record.plan).parkOwner(
                record.key, of: record.settled.map { ($0.plan, $0.change.key) }, reason: reason)
        }
        for settled in record.released { try release(settled) }
        let released = Set(record.released.map(\.change.id))
        for settled in record.departures where !released.contains(settled.change.id) {
            try OutboxWriter(database, plan: settled.plan).leave(settled.change)
        }
        try parkNameless(of: record)
    }

    /// Confirms what was applied, and parks the rest, unless the record was edited meanwhile.
    private func confirm(
        _ snapshot: OutboxSnapshot, of settled: PushRecord.Settled, unapplied: [UnappliedValue]
    ) throws {
        let writer = OutboxWriter(database, plan: settled.plan)
        let isEdited = try writer.change(of: snapshot.change.key)?.version != snapshot.change.version
        try writer.confirm(snapshot)
        // Links to a record that was deleted meanwhile are not pending any more.
        let isOfLinks = unapplied.allSatisfy { if case .link = $0.sent.part { true } else { false } }
        if isOfLinks, try writer.settle(snapshot.change.key) { return }
        guard !isEdited, let rest = try writer.change(of: snapshot.change.key) else { return }
        try park(rest, of: settled, unapplied: unapplied)
    }

    private func park(_ change: PendingChange, of settled: PushRecord.Settled, unapplied: [UnappliedValue]) throws {
        let reason = PushRecord.reason(ofUnapplied: unapplied, at: settled.recordID)
        try OutboxWriter(database, plan: settled.plan).park(change, status: 0, body: Data(reason.utf8), error: reason)
    }

    /// A record has left its owner: it is new to the server in the one that it is in now.
    func release(_ settled: PushRecord.Settled) throws {
        let writer = OutboxWriter(database, plan: settled.plan)
        guard let now = try writer.change(of: settled.change.key), now.id == settled.change.id else { return }
        switch now.kind {
        case .delete: try writer.forget(now.key, id: now.id)
        case .update:
            try writer.makeAgain(now)
            let row = try database.valueRows(settled.plan.findSQL, with: now.key.values).first
            // A record without an owner is not sent.
            if settled.plan.travelsInside, row.map(settled.plan.isInside) != true {
                try writer.forget(now.key, id: now.id)
            }
        case .create:
            if settled.plan.remoteColumn == nil, now.idempotencyKey != nil { try writer.requeue(now) }
        }
    }

    // MARK: The server's identity

    /// The row of a record that was created locally and that a pull has brought before the response to its creation
    /// arrived; `nil` if there is none. It has newer values than that response, which the server may have stored and
    /// repeated.
    static func duplicate(_ database: Database, for record: PushRecord, response: ResponseRecord) throws -> RecordID? {
        guard record.kind == .create, let column = record.plan.remoteColumn,
            let identity = response.identity?.values.first
        else { return nil }
        let value = try identity.stored(in: record.plan.columns[column])
        return try IdentityAdoption.duplicate(
            database, value: value, column: column, for: record.key, of: record.plan
        ).map {
            RecordID(record.plan, key: $0)
        }
    }
}
