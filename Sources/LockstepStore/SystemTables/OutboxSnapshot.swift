package import GRDB

/// What a push has read of a record: what it sends, and what it is compared with.
package struct OutboxSnapshot: Sendable {
    package private(set) var change: PendingChange
    /// The record's values by its columns; `nil` where it is deleted.
    package var row: [DatabaseValue]?
    /// Its values before its first change that is not confirmed; `nil` where the server has none.
    package let base: [DatabaseValue]?
    /// The links that were added or taken away here, of relationships that this record tells the server of.
    package private(set) var links: [OutboxLinkChange]
    /// The values that were sent earlier and that the server may have, by their columns.
    package private(set) var unanswered: [Int: [DatabaseValue]]
    /// Whether something of the change was not sent, and is left when this is confirmed.
    package private(set) var isPart = false

    /// Takes out what is not sent.
    package mutating func leave(links names: Set<String>) {
        links.removeAll { names.contains($0.name) }
        isPart = true
    }
}

/// A link that was added or taken away here.
package struct OutboxLinkChange: Sendable, Hashable {
    /// ``OutboxLink/name``.
    package let name: String
    /// The other end's key, as the outbox spells it.
    package let destination: DatabaseValue
    package let isAdded: Bool
    /// Its places in ordered lists before it was taken away.
    package let places: [DatabaseValue]
}

extension OutboxSnapshot {
    /// Reads a change with its record; `nil` where it was confirmed or discarded meanwhile.
    package init?(_ change: PendingChange, _ plan: EntityPlan, _ database: Database) throws {
        guard let current = try change.current(database, plan) else { return nil }
        self.change = current
        row = try database.valueRows(plan.findSQL, current.key.values).first
        base = try OutboxWriter(database, plan).base(of: current.key)
        links = try OutboxWriter(database, plan).links(of: current.key)
        unanswered = try OutboxWriter(database, plan).unanswered(current.id)
    }

    /// What was sent of a creation whose answer has not come: its values are the base since, and which links went with
    /// it nobody knows any more, so that they are sent once more.
    package var asSent: OutboxSnapshot {
        var sent = self
        sent.change = change.asSent
        guard sent.change != change else { return self }
        sent.row = base
        sent.links = []
        return sent
    }
}
