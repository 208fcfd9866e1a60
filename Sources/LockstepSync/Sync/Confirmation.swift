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
        var known: [DatabaseValue]?
        if record.kind == .create, let column = record.plan.remoteColumn, let identity = answer.identity?.values.first {
            let value = try identity.stored(as: record.plan.columns[column].type)
            known = try adopt(value, column, record.key, record.plan)
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
            try OutboxWriter(database, settled.plan).confirm(snapshot)
        }
        for settled in record.released { try release(settled) }
        let released = Set(record.released.map(\.change.id))
        for settled in record.departures where !released.contains(settled.change.id) {
            try OutboxWriter(database, settled.plan).leave(settled.change)
        }
        try parkNameless(of: record)
    }

    /// A record has left the one that it was inside of: where it is now it is new to the server.
    func release(_ settled: PushRecord.Settled) throws {
        let writer = OutboxWriter(database, settled.plan)
        guard let now = try writer.change(of: settled.change.key), now.id == settled.change.id else { return }
        switch now.kind {
        case .delete: try writer.forget(now.key, id: now.id)
        case .update:
            try writer.makeAgain(now)
            let row = try database.valueRows(settled.plan.findSQL, now.key.values).first
            // In none it is not sent.
            if settled.plan.travelsInside, row.map(settled.plan.isInside) != true {
                try writer.forget(now.key, id: now.id)
            }
        case .create:
            if settled.plan.remoteColumn == nil, now.idempotencyKey != nil { try writer.takeBack(now) }
        }
    }

    // MARK: The server's identity

    /// Whether a pull has brought a record that was made here before its creation was answered. What the second row has
    /// is newer than that answer, which may be one that the server has kept.
    static func hasTwin(_ database: Database, _ record: PushRecord, _ answer: Answer) throws -> Bool {
        guard record.kind == .create, let column = record.plan.remoteColumn,
            let identity = answer.identity?.values.first
        else { return false }
        let value = try identity.stored(as: record.plan.columns[column].type)
        return try twin(database, value, column, record.key, record.plan) != nil
    }

    private static func twin(
        _ database: Database, _ value: DatabaseValue, _ column: Int, _ record: RecordKey, _ plan: EntityPlan
    ) throws -> RecordKey? {
        let (table, remote) = (SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name))
        let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        return try DatabaseValue.fetchOne(
            database, sql: "SELECT \(key) FROM \(table) WHERE \(remote) = ? AND \(key) <> ?",
            arguments: [value, record.values[0]]
        ).map { RecordKey($0) }
    }

    /// Gives a record the identity that the server has made for it.
    ///
    /// A pull may have brought the record before the answer came, as one of its own: that one goes, and what points at
    /// it points at this one.
    ///
    /// - Returns: What the server is known to have of the record, where a pull has brought it; else what was sent is.
    /// - Throws: ``TwinCollision`` where the two cannot be one, before anything is written.
    @discardableResult
    func adopt(
        _ value: DatabaseValue, _ column: Int, _ record: RecordKey, _ plan: EntityPlan
    ) throws -> [DatabaseValue]? {
        let (table, remote) = (SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name))
        let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        let own = record.values[0]
        var known: [DatabaseValue]?
        if let twin = try Self.twin(database, value, column, record, plan) {
            if try isKept(twin, insteadOf: record, plan) { return nil }
            known = try absorb(twin, into: record, plan)
        }
        try changes.note(.update, in: plan.table, database)
        try database.execute(sql: "UPDATE \(table) SET \(remote) = ? WHERE \(key) = ?", arguments: [value, own])
        guard plan.isTracked else { return known }
        // What was sent is what the server has; of a record that is deleted here it says whom to delete.
        let base = SQLName.quoted(OutboxTables.base(of: plan))
        try database.execute(sql: "UPDATE \(base) SET \(remote) = ? WHERE \(key) = ?", arguments: [value, own])
        return known
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

    /// Takes a second row of a record away, with what is pending of its links.
    ///
    /// - Returns: What the server is known to have of the record.
    private func absorb(_ twin: RecordKey, into own: RecordKey, _ plan: EntityPlan) throws -> [DatabaseValue]? {
        try adoptMembers(of: twin, into: own, plan)
        let writer = OutboxWriter(database, plan)
        let change = try PendingChange.fetch(database, of: twin, plan)
        let values = try database.valueRows(plan.findSQL, twin.values).first
        let base = try change == nil ? nil : writer.base(of: twin)
        let union = RecordUnion(database: database, changes: changes, plan: MergePlan(plans, isTraced: false))
        let pair = RecordUnion.Pair(plan: plan, record: twin, other: own)
        guard try union.unite(pair, union.absorb) != nil else { throw TwinCollision(plan: plan, record: own) }
        // Edited and lost on the server meanwhile, it was to be made there again.
        let isEdited = change.map { $0.kind != .delete } ?? false
        if let values { try take(values, into: own, plan, areEdited: isEdited) }
        return base ?? values
    }

    /// The members of a second row are those that were sent with the record, and whose identities it has told.
    private func adoptMembers(of twin: RecordKey, into own: RecordKey, _ plan: EntityPlan) throws {
        guard try SentMembers.areThere(database) else { return }
        let members = SentMembers(database: database, plans: plans)
        for relationship in plan.relationships {
            let member = relationship.destination.entity.plan
            guard relationship.isEmbedded, let remote = member.remoteColumn,
                let columns = relationship.columnsOfInverse
            else { continue }
            let sent = try members.all().filter {
                $0.owner == RecordPlace(plan, own) && $0.relationship == relationship.name && $0.state != .deleted
            }
            guard !sent.isEmpty else { continue }
            let names = columns.map { member.columns[$0].name }
            let order = SQLName.quoted(member.columns[remote].name)
            let there = try database.valueRows(
                "\(member.selectSQL) WHERE \(SQLName.condition(names, in: member.table)) ORDER BY \(order)", twin.values
            ).filter { !$0[remote].isNull }
            let matching = MemberMatching(
                sent: sent.count, received: there.count, isTaken: { _ in true },
                likeness: { sent[$0].likeness(to: there[$1]) })
            for pair in matching.pairs() {
                let (key, row) = (sent[pair.sent].key, there[pair.received])
                let isKnown = try PendingChange.fetch(database, of: key, member) != nil
                guard try isKnown || !database.valueRows(member.findSQL, key.values).isEmpty else { continue }
                try adopt(row[remote], remote, key, member)
                try members.forget(sent[pair.sent])
            }
        }
    }

    /// What was not edited since it was sent is as the second row had it: what came from the server, and what was edited
    /// there, which goes on as an edit of this one.
    private func take(
        _ values: [DatabaseValue], into own: RecordKey, _ plan: EntityPlan, areEdited: Bool
    ) throws {
        let writer = OutboxWriter(database, plan)
        guard plan.isTracked, let sent = try writer.base(of: own),
            let row = try database.valueRows(plan.findSQL, own.values).first
        else { return }
        let columns = plan.travellingColumns.filter { values[$0] != row[$0] && row[$0] == sent[$0] }
        guard !columns.isEmpty else { return }
        try changes.note(.update, in: plan.table, database)
        try database.change(plan.updateSQL(columns), columns.map { values[$0] } + own.values)
        if areEdited { try writer.noteChange(of: own) }
    }
}

/// A record that was made here and the row of it that a pull has brought cannot be one: under a value that is there
/// once, both have a record that the server has, or that it has not.
struct TwinCollision: Error {
    let plan: EntityPlan
    let record: RecordKey

    var reason: String {
        """
        the server has \(plan.name) \(record.text), a pull has brought it as another one, and records of both have the \
        same unique values: delete or change one of each two, and retry
        """
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
