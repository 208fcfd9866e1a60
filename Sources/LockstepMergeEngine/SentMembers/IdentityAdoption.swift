package import GRDB
package import LockstepTables

/// Gives records that were created locally the identities that the server has assigned to them (Rules.md, R10 and P10).
package struct IdentityAdoption {
    let database: Database
    let changes: RawChanges
    let plans: SchemaPlan

    package init(database: Database, changes: RawChanges, plans: SchemaPlan) {
        self.database = database
        self.changes = changes
        self.plans = plans
    }

    /// Returns the second row of a record: another row with the remote identity that the server assigned to this one.
    package static func duplicate(
        _ database: Database, value: DatabaseValue, column: Int, for record: RecordKey, of plan: EntityPlan
    ) throws -> RecordKey? {
        try Self.record(value, column: column, of: plan, besides: record, in: database)
    }

    /// Returns the local key of the record with an identity that the server has assigned; `nil` if there is none.
    ///
    /// - Parameter other: A record that does not count.
    package static func record(
        _ value: DatabaseValue, column: Int, of plan: EntityPlan, besides other: RecordKey? = nil, in database: Database
    ) throws -> RecordKey? {
        let (table, remote) = (SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name))
        let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        return try database.valueRows(
            "SELECT \(key) FROM \(table) WHERE \(remote) = ? AND \(key) IS NOT ?",
            with: [value, other?.values[0] ?? .null]
        ).first.map { RecordKey($0) }
    }

    /// Gives a record the identity that the server has assigned to it.
    ///
    /// A pull may have inserted the record as another row before the response was received: that row is deleted, and
    /// everything that refers to it refers to this one.
    ///
    /// - Returns: The server's values of the record, if a pull has inserted it; otherwise `nil`, and the sent values
    ///   are the server's.
    /// - Throws: ``DuplicateCollision`` if the two rows cannot be merged, before anything is written.
    @discardableResult
    package func adopt(
        _ value: DatabaseValue, column: Int, for record: RecordKey, of plan: EntityPlan
    ) throws -> [DatabaseValue]? {
        let (table, remote) = (SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name))
        let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        let own = record.values[0]
        var known: [DatabaseValue]?
        if let duplicate = try Self.duplicate(database, value: value, column: column, for: record, of: plan) {
            if try isKept(duplicate, insteadOf: record, of: plan) { return nil }
            known = try absorb(duplicate, into: record, of: plan)
        }
        try changes.note(.update, in: plan.table, database: database)
        try database.change("UPDATE \(table) SET \(remote) = ? WHERE \(key) = ?", with: [value, own])
        guard plan.isTracked else { return known }
        // The server has what was sent. For a record that was deleted locally, this identifies the record to delete.
        try BaseTable(plan, in: database).set(column, to: value, of: record)
        return known
    }

    /// Whether a second row of a record replaces it: the record was deleted locally, as one of two that look alike, and
    /// the other one was edited. In this case it must not be deleted on the server.
    private func isKept(_ duplicate: RecordKey, insteadOf own: RecordKey, of plan: EntityPlan) throws -> Bool {
        guard try PendingChange.fetch(database, of: duplicate, plan: plan)?.kind == .update,
            let change = try PendingChange.fetch(database, of: own, plan: plan), change.kind == .delete
        else { return false }
        try OutboxWriter(database, plan: plan).forget(own, id: change.id)
        return true
    }

    /// Deletes a second row of a record, with the pending changes of its links.
    ///
    /// - Returns: The server's values of the record.
    private func absorb(_ duplicate: RecordKey, into own: RecordKey, of plan: EntityPlan) throws -> [DatabaseValue]? {
        try adoptMembers(of: duplicate, into: own, plan: plan)
        let writer = OutboxWriter(database, plan: plan)
        let change = try PendingChange.fetch(database, of: duplicate, plan: plan)
        let values = try database.valueRows(plan.findSQL, with: duplicate.values).first
        let base = try change == nil ? nil : writer.base(of: duplicate)
        try RecordNotes(database).move(duplicate, to: own, in: plan)
        let union = RecordUnion(database: database, changes: changes, plan: MergePlan(plans, isTraced: false))
        let pair = RecordUnion.Pair(plan: plan, record: duplicate, other: own)
        guard try union.unite(pair, body: union.absorb) != nil else {
            throw DuplicateCollision(plan: plan, record: own)
        }
        // If it was edited, and deleted on the server meanwhile, it was to be created again there.
        let isEdited = change.map { $0.kind != .delete } ?? false
        if let values { try take(values, into: own, of: plan, areEdited: isEdited) }
        return base ?? values
    }

    /// The members of a second row are those that were sent with the record, and the row has their identities.
    private func adoptMembers(of duplicate: RecordKey, into own: RecordKey, plan: EntityPlan) throws {
        guard try SentMembers.areThere(database) else { return }
        let members = SentMembers(database: database, plans: plans)
        for relationship in plan.relationships {
            let member = relationship.destination
            guard relationship.isEmbedded, let remote = member.remoteColumn,
                let columns = relationship.columnsOfInverse
            else { continue }
            let sent = try members.all().filter {
                $0.owner == RecordID(plan, key: own) && $0.relationship == relationship.name && $0.state != .deleted
            }
            guard !sent.isEmpty else { continue }
            let names = columns.map { member.columns[$0].name }
            let order = SQLName.quoted(member.columns[remote].name)
            let received = try database.valueRows(
                "\(member.selectSQL) WHERE \(SQLName.condition(names, in: member.table)) ORDER BY \(order)",
                with: duplicate.values
            ).filter { !$0[remote].isNull }
            let matching = MemberMatching(
                sent: sent.count, received: received.count, isTaken: { _ in true },
                likeness: { sent[$0].likeness(to: received[$1]) })
            for pair in matching.pairs() {
                let (key, row) = (sent[pair.sent].key, received[pair.received])
                let isKnown = try PendingChange.fetch(database, of: key, plan: member) != nil
                guard try isKnown || !database.valueRows(member.findSQL, with: key.values).isEmpty else {
                    continue
                }
                try adopt(row[remote], column: remote, for: key, of: member)
                try members.forget(sent[pair.sent])
            }
        }
    }

    /// Takes the values of the second row for everything that was not edited since it was sent: what came from the
    /// server, and what was edited there, which becomes an edit of this record.
    private func take(_ values: [DatabaseValue], into own: RecordKey, of plan: EntityPlan, areEdited: Bool) throws {
        let writer = OutboxWriter(database, plan: plan)
        guard plan.isTracked, let sent = try writer.base(of: own),
            let row = try database.valueRows(plan.findSQL, with: own.values).first
        else { return }
        let columns = (plan.travellingColumns + plan.readOnlyColumns).filter {
            !values[$0].isIdentical(to: row[$0]) && row[$0].isIdentical(to: sent[$0])
        }
        guard !columns.isEmpty else { return }
        try changes.note(.update, in: plan.table, database: database)
        try database.change(plan.updateSQL(columns), with: columns.map { values[$0] } + own.values)
        if areEdited { try writer.noteChange(of: own) }
    }
}

/// A record that was created locally and the row that a pull has inserted for it cannot be merged: both have a record
/// with the same unique value, and the server has both of them or neither.
package struct DuplicateCollision: Error {
    package let plan: EntityPlan
    package let record: RecordKey

    package var reason: String {
        """
        the server has \(plan.name) \(record.text), a pull has inserted it as another record, and records of both have \
        the same unique values: delete or change one of each pair, and retry
        """
    }
}
