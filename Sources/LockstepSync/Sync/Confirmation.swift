import Foundation
import GRDB
import LockstepStore

/// Writes down, inside of a transaction, that the server has taken a change.
struct Confirmation {
    let database: Database
    let changes: RawChanges
    let plans: [EntityPlan]

    func write(_ record: PushRecord, _ answer: Answer) throws {
        var adopted: (column: Int, value: DatabaseValue)?
        if record.kind == .create, let column = record.plan.remoteColumn, let identity = answer.identity?.values.first {
            let value = try identity.stored(as: record.plan.columns[column].type)
            try adopt(value, column, record)
            adopted = (column, value)
        }
        for settled in record.settled {
            var snapshot = settled.snapshot
            if let adopted, settled.plan === record.plan, settled.change.key == record.key {
                snapshot.row?[adopted.column] = adopted.value
            }
            try OutboxWriter(database, settled.plan).confirm(snapshot)
        }
    }

    // MARK: The server's identity

    /// Gives a record the identity that the server has made for it.
    ///
    /// A pull may have brought the record before the answer came, as one of its own: that one goes, and what points at
    /// it points at this one.
    private func adopt(_ value: DatabaseValue, _ column: Int, _ record: PushRecord) throws {
        let plan = record.plan
        let (table, remote) = (SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name))
        let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        let own = record.key.values[0]
        let twin = try DatabaseValue.fetchOne(
            database, sql: "SELECT \(key) FROM \(table) WHERE \(remote) = ? AND \(key) <> ?", arguments: [value, own])
        if let twin {
            if try isKept(RecordKey(twin), insteadOf: record.key, plan) { return }
            try absorb(RecordKey(twin), into: record.key, plan)
        }
        try changes.note(.update, in: plan.table, database)
        try database.execute(sql: "UPDATE \(table) SET \(remote) = ? WHERE \(key) = ?", arguments: [value, own])
        // What was sent is what the server has; of a record that is deleted here it says whom to delete.
        let base = SQLName.quoted(OutboxTables.base(of: plan))
        try database.execute(sql: "UPDATE \(base) SET \(remote) = ? WHERE \(key) = ?", arguments: [value, own])
    }

    /// Whether a second row of a record goes on in its place: the record itself was deleted here, as one of two that look
    /// the same, and the other one was edited. Then it is no longer to be deleted on the server.
    private func isKept(_ twin: RecordKey, insteadOf own: RecordKey, _ plan: EntityPlan) throws -> Bool {
        guard try PendingChange.fetch(database, of: twin, plan)?.kind == .update,
            let change = try PendingChange.fetch(database, of: own, plan), change.kind == .delete
        else { return false }
        try OutboxWriter(database, plan).forget(own, id: change.id)
        return true
    }

    /// Takes a second row of a record away.
    private func absorb(_ twin: RecordKey, into own: RecordKey, _ plan: EntityPlan) throws {
        try takeEdits(of: twin, into: own, plan)
        let links = MergePlan(plans, isTraced: false, hooks: [:])
        for (table, column) in links.holders(of: plan) {
            let name = SQLName.quoted(column)
            try changes.note(.update, in: table, database)
            try database.execute(
                sql: "UPDATE OR IGNORE \(SQLName.quoted(table)) SET \(name) = ? WHERE \(name) = ?",
                arguments: [own.values[0], twin.values[0]])
        }
        try changes.note(.delete, in: plan.table, database)
        try database.execute(sql: plan.deleteSQL, arguments: StatementArguments(twin.values))
        if let change = try PendingChange.fetch(database, of: twin, plan) {
            try OutboxWriter(database, plan).forget(twin, id: change.id)
        }
    }
}

extension Confirmation {
    /// What was edited in the second row goes on as an edit of the record, unless the same was edited there, too.
    private func takeEdits(of twin: RecordKey, into own: RecordKey, _ plan: EntityPlan) throws {
        let writer = OutboxWriter(database, plan)
        guard let change = try PendingChange.fetch(database, of: twin, plan), change.kind == .update,
            let base = try writer.base(of: twin), let sent = try writer.base(of: own),
            let edited = try database.valueRows(plan.findSQL, twin.values).first,
            let row = try database.valueRows(plan.findSQL, own.values).first
        else { return }
        let columns = plan.travellingColumns.filter { edited[$0] != base[$0] && row[$0] == sent[$0] }
        guard !columns.isEmpty else { return }
        try changes.note(.update, in: plan.table, database)
        try database.change(plan.updateSQL(columns), columns.map { edited[$0] } + own.values)
        try writer.noteChange(of: own)
    }
}

extension JSONValue {
    /// An identity as a column keeps it.
    ///
    /// - Throws: ``SyncError`` where it is none of that type.
    func stored(as type: StoredType) throws -> DatabaseValue {
        func refused() -> SyncError {
            SyncError(
                .malformed, reason: "the server gave an identity of another type than the schema's",
                remedy: "Compare the schema's type of the identity with what the server sends.")
        }
        let text = RemoteIdentity([self]).text
        switch type {
        case .int, .int16, .int32, .int64:
            guard let number = Int64(text) else { throw refused() }
            return number.databaseValue
        case .uuid:
            guard let uuid = UUID(uuidString: text) else { throw refused() }
            return uuid.uuidString.lowercased().databaseValue
        default:
            guard !text.isEmpty else { throw refused() }
            return text.databaseValue
        }
    }
}
