package import GRDB

// What was sent without a response, so that the server may or may not have it (Rules.md, P4).
extension OutboxWriter {
    /// Records what is about to be sent for a change: until the response arrives, the server may or may not have it.
    package func noteSending(_ snapshot: OutboxSnapshot) throws {
        let change = snapshot.change
        if change.kind == .delete { try set(.deletion, of: change) }
        guard change.kind == .update, let row = snapshot.row else { return }
        for column in plan.travellingColumns
        where snapshot.base.map({ $0[column] != row[column] }) ?? true || snapshot.unconfirmed[column] != nil {
            try noteSending(plan.columns[column].name, value: row[column], of: change)
        }
        for link in snapshot.links { try noteSending(link.name, value: link.destination, of: change, isLink: true) }
    }

    /// Records what was sent for a creation that the server has rejected. If a copy of the request has arrived
    /// nevertheless, that is what the server has (Rules.md, P10).
    package func noteRefused(_ change: PendingChange) throws {
        guard plan.hasOwnIdentity, let sent = try base(of: change.key) else { return }
        for column in plan.columns.indices {
            try noteSending(plan.columns[column].name, value: sent[column], of: change)
        }
    }

    func noteSending(_ name: String, value: DatabaseValue, of change: PendingChange, isLink: Bool = false) throws {
        try database.change(
            """
            INSERT INTO \(OutboxTables.unconfirmed) (change, name, value, is_link) SELECT ?1, ?2, ?3, ?4 \
            WHERE NOT EXISTS (SELECT 1 FROM \(OutboxTables.unconfirmed) \
            WHERE change = ?1 AND name = ?2 AND value IS ?3 AND is_link = ?4)
            """, with: [change.id.databaseValue, name.databaseValue, value, isLink.databaseValue])
    }

    /// The values that were sent for a change and that the server may have, by column.
    ///
    /// - Parameter change: The number of the change.
    package func unconfirmed(_ change: Int64) throws -> [Int: [DatabaseValue]] {
        let rows = try database.valueRows(
            "SELECT name, value FROM \(OutboxTables.unconfirmed) WHERE change = ? AND NOT is_link",
            with: [change.databaseValue])
        var values: [Int: [DatabaseValue]] = [:]
        for row in rows {
            let name = String.fromDatabaseValue(row[0])
            guard let column = plan.columns.firstIndex(where: { $0.name == name }) else { continue }
            values[column, default: []].append(row[1])
        }
        return values
    }

    package func dropUnconfirmed(_ id: Int64) throws {
        try database.change("DELETE FROM \(OutboxTables.unconfirmed) WHERE change = ?", with: [id.databaseValue])
    }

    package func set(_ marks: OutboxMarks, of change: PendingChange) throws {
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET is_touched = is_touched | ? WHERE id = ?",
            with: [marks.rawValue.databaseValue, change.id.databaseValue])
    }

    /// Call this if the server has confirmed that a record is in no other record any more.
    ///
    /// - Parameter columns: The columns that identify the owner.
    package func confirmRemoval(of change: PendingChange, columns: [Int]) throws {
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET is_touched = is_touched & ~? WHERE id = ?",
            with: [OutboxMarks.deletion.rawValue.databaseValue, change.id.databaseValue])
        for column in columns {
            try database.change(
                "DELETE FROM \(OutboxTables.unconfirmed) WHERE change = ? AND name = ? AND NOT is_link",
                with: [change.id.databaseValue, plan.columns[column].name.databaseValue])
        }
    }

    // MARK: Former owners

    /// The record has left its owner, as the server has confirmed, and is in no other one there yet. The former owner
    /// is kept.
    package func leave(_ change: PendingChange) throws {
        guard let base = try base(of: change.key) else { return }
        let columns = plan.ownerColumns.flatMap(\.self)
        var now = base
        for column in columns { now[column] = .null }
        if now != base { try keepFormer(of: change, than: now) }
        try setBase(now)
        try confirmRemoval(of: change, columns: columns)
        try set(.left, of: change)
    }

    /// The server's values of a record before it left its owner; `nil` if it has left none.
    package func baseBeforeLeaving(_ change: PendingChange) throws -> [DatabaseValue]? {
        guard try marks(of: change).contains(.left) else { return nil }
        return try formerBase(of: change)
    }
}
