package import GRDB

/// The state of a record that a push has read: what it sends, and what it compares that with.
package struct OutboxSnapshot: Sendable {
    package private(set) var change: PendingChange
    /// The record's values by column; `nil` if it was deleted.
    package var row: [DatabaseValue]?
    /// Its values before its first unconfirmed change; `nil` if the server has none.
    package let base: [DatabaseValue]?
    /// The links that were added or removed locally, for relationships that are sent with this record.
    package private(set) var links: [OutboxLinkChange]
    /// The values that were sent earlier and that the server may have, by column.
    package private(set) var unconfirmed: [Int: [DatabaseValue]]
    /// Whether part of the change was not sent, and remains when this is confirmed.
    package private(set) var isPart = false

    /// Removes what is not sent.
    package mutating func leave(links names: Set<String>) {
        links.removeAll { names.contains($0.name) }
        isPart = true
    }

    /// Sets the columns that are not sent to what the server has.
    package mutating func leave(columns: [Int]) {
        for column in columns { row?[column] = base?[column] ?? .null }
        isPart = true
    }

    /// Removes links that are not sent; none change nothing.
    package mutating func leave(_ left: [OutboxLinkChange]) {
        guard !left.isEmpty else { return }
        links.removeAll(where: left.contains)
        isPart = true
    }
}

/// A link that was added or removed locally.
package struct OutboxLinkChange: Sendable, Hashable {
    /// ``OutboxLinkRoute/name``.
    package let name: String
    /// The other end's key in the outbox's encoding.
    package let destination: DatabaseValue
    package let isAdded: Bool
    /// Its positions in ordered lists before it was removed.
    package let positions: [DatabaseValue]
}

extension OutboxSnapshot {
    /// Reads a change with its record; `nil` if it was confirmed or discarded meanwhile.
    package init?(_ change: PendingChange, plan: EntityPlan, in database: Database) throws {
        guard let current = try change.current(database, of: plan) else { return nil }
        self.change = current
        row = try database.valueRows(plan.findSQL, with: current.key.values).first
        base = try OutboxWriter(database, plan: plan).base(of: current.key)
        links = try OutboxWriter(database, plan: plan).links(of: current.key)
        unconfirmed = try OutboxWriter(database, plan: plan).unconfirmed(current.id)
    }

    /// The snapshot that was sent for a creation without a response. Its values are the base since then. It is not
    /// known which links were sent with it, so they are sent again.
    package var asSent: OutboxSnapshot {
        var sent = self
        sent.change = change.asSent
        guard sent.change != change else { return self }
        // What was left out, because it referred to records that were created later, is still to be sent.
        sent.isPart = isPart || !(row ?? []).isIdentical(to: base ?? [])
        sent.row = base
        sent.links = []
        return sent
    }
}
