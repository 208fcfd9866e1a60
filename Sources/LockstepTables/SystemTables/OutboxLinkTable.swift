package import GRDB

/// The links that were added or removed locally and that the server has not confirmed.
package struct OutboxLinkTable {
    /// A row of it.
    package struct Row {
        package let link: OutboxLinkRoute
        /// The keys of the source and of the destination, as the outbox has them.
        package var ends: [DatabaseValue]
        package var isAdded: Bool

        package init(link: OutboxLinkRoute, ends: [DatabaseValue], isAdded: Bool) {
            self.link = link
            self.ends = ends
            self.isAdded = isAdded
        }

        fileprivate var arguments: [DatabaseValue] { [link.name.databaseValue] + ends }
    }

    private let database: Database

    package init(_ database: Database) { self.database = database }

    private static let isRow = "join_table = ?1 AND source = ?2 AND destination = ?3"

    // MARK: Reading

    /// The rows of a link that have a record at one end.
    ///
    /// - Parameters:
    ///   - end: 0 for the source, 1 for the destination.
    ///   - key: The record's key in the outbox's encoding.
    package func rows(of link: OutboxLinkRoute, at end: Int, key: DatabaseValue) throws -> [Row] {
        try database.valueRows(
            """
            SELECT source, destination, is_added FROM \(OutboxTables.links) \
            WHERE join_table = ? AND \(Self.names[end]) = ?
            """, with: [link.name.databaseValue, key]
        ).map { Row(link: link, ends: [$0[0], $0[1]], isAdded: $0[2] == 1.databaseValue) }
    }

    /// Whether there are pending changes of a link whose source is this record.
    package func hasRows(of link: OutboxLinkRoute, from source: RecordKey, plan: EntityPlan) throws -> Bool {
        let sql = """
            SELECT 1 FROM \(OutboxTables.links) WHERE join_table = ?1 \
            AND source = \(OutboxRecord.parameterSQL(plan, first: 2)) LIMIT 1
            """
        return try RawStatement(sql, in: database).firstValue([link.name.databaseValue] + source.values) != nil
    }

    /// Whether there is a row with these ends.
    package func has(_ row: Row) throws -> Bool {
        try !database.valueRows("SELECT 1 FROM \(OutboxTables.links) WHERE \(Self.isRow)", with: row.arguments)
            .isEmpty
    }

    /// The source that a destination was removed from, and its position there.
    package func removal(
        of link: String, to destination: DatabaseValue
    ) throws -> (source: DatabaseValue, DatabaseValue)? {
        try database.valueRows(
            """
            SELECT source, position FROM \(OutboxTables.links) \
            WHERE join_table = ? AND destination = ? AND is_added = 0
            """, with: [link.databaseValue, destination]
        ).first.map { ($0[0], $0[1]) }
    }

    // MARK: Writing

    /// Replaces an end of a row.
    package func move(_ row: Row, end: Int, to key: DatabaseValue) throws {
        try database.change(
            "UPDATE \(OutboxTables.links) SET \(Self.names[end]) = ?4 WHERE \(Self.isRow)",
            with: row.arguments + [key])
    }

    /// Registers that a link which the server has was removed, unless a change of it is pending.
    package func noteRemoval(of link: OutboxLinkRoute, from source: RecordKey, to destination: RecordKey) throws {
        let ends = [
            OutboxRecord.parameterSQL(link.owner, first: 3),
            OutboxRecord.parameterSQL(link.destination, first: 3 + source.values.count),
        ]
        try database.change(
            """
            INSERT OR IGNORE INTO \(OutboxTables.links) (entity, join_table, source, destination, is_added) \
            VALUES (?1, ?2, \(ends[0]), \(ends[1]), 0)
            """,
            with: [link.owner.name.databaseValue, link.name.databaseValue] + source.values + destination.values)
    }

    /// Deletes the row with these ends.
    ///
    /// - Parameter ifRemoval: Whether to keep the row if the link was added.
    package func delete(_ row: Row, ifRemoval: Bool = false) throws {
        try database.change(
            "DELETE FROM \(OutboxTables.links) WHERE \(Self.isRow)\(ifRemoval ? " AND is_added = 0" : "")",
            with: row.arguments)
    }

    /// Deletes the rows of a destination's additions or removals.
    package func delete(_ link: String, to destination: DatabaseValue, isAdded: Bool) throws {
        try database.change(
            "DELETE FROM \(OutboxTables.links) WHERE join_table = ? AND destination = ? AND is_added = ?",
            with: [link.databaseValue, destination, isAdded.databaseValue])
    }

    /// Deletes the rows of links to a record that no longer exists, and the changes of their sources that consist of
    /// nothing else.
    package func forget(_ links: some Sequence<OutboxLinkRoute>, to destination: RecordKey, plan: EntityPlan) throws {
        guard try database.hasRows(OutboxTables.links) else { return }
        for link in links where link.destination === plan {
            let sources = try deleteAll(of: link.name, to: destination, plan: plan)
            guard link.owner.isTracked else { continue }
            for source in sources {
                guard let key = OutboxRecord.key(source, of: link.owner) else { continue }
                try OutboxWriter(database, plan: link.owner).settle(key)
            }
        }
    }

    /// - Returns: The keys of the sources in the outbox's encoding.
    private func deleteAll(of link: String, to destination: RecordKey, plan: EntityPlan) throws -> [DatabaseValue] {
        let isLink = "join_table = ?1 AND destination = \(OutboxRecord.parameterSQL(plan, first: 2))"
        let arguments = [link.databaseValue] + destination.values
        let sources = try database.valueRows(
            "SELECT source FROM \(OutboxTables.links) WHERE \(isLink)", with: arguments)
        try database.change("DELETE FROM \(OutboxTables.links) WHERE \(isLink)", with: arguments)
        return sources.map { $0[0] }
    }

    private static let names = ["source", "destination"]
}

/// The statements by which a merge reads and deletes the pending changes of one link, seen from one end. They take the
/// link's name, then the key of the record at this end.
package struct LinkEditStatements {
    /// Returns the keys at the other end in the outbox's encoding, and whether each was added.
    package let select: RawStatement
    /// Takes the key at the other end as an additional argument.
    package let delete: RawStatement

    /// Creates the statements.
    ///
    /// - Parameter isForward: Whether this end is the source.
    /// - Returns: `nil` if the link has no pending changes.
    package init?(_ link: OutboxLinkRoute, isForward: Bool, plan: EntityPlan, in database: Database) throws {
        let table = OutboxTables.links
        let first = try RawStatement("SELECT 1 FROM \(table) WHERE join_table = ? LIMIT 1", in: database)
            .firstValue([link.name.databaseValue])
        guard first != nil else { return nil }
        let (own, other) = isForward ? ("source", "destination") : ("destination", "source")
        let record = plan.outboxRecordSQL(of: plan.keyColumns.indices.map { "?\($0 + 2)" })
        select = try RawStatement(
            "SELECT \(other), is_added FROM \(table) WHERE join_table = ?1 AND \(own) = \(record)", in: database)
        delete = try RawStatement(
            "DELETE FROM \(table) WHERE join_table = ?1 AND \(own) = \(record) "
                + "AND \(other) = ?\(plan.keyColumns.count + 2)", in: database)
    }
}
