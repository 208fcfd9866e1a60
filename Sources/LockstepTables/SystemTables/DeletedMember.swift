import GRDB

/// A record inside another one that must be removed from its owner's list on the server: it was deleted locally, or has
/// moved to another owner (Rules.md, R10).
package struct DeletedMember: Sendable {
    package let plan: EntityPlan
    package let key: RecordKey
    /// The record whose JSON contains it on the server, and the relationship.
    package let ownerPlan: EntityPlan
    package let ownerKey: RecordKey
    package let list: RelationshipDescription
    /// Its identity on the server.
    package let remote: DatabaseValue

    /// - Parameters:
    ///   - base: The record as the server has it; `nil` if the server does not have it.
    ///   - ownership: Which records are sent inside others to a remote; `nil` for all that are embedded.
    package init?(_ plan: EntityPlan, key: RecordKey, base: [DatabaseValue]?, ownership: WireOwnership? = nil) {
        guard let base, let remote = plan.nestedIdentity, !base[remote].isNull,
            let owner = plan.owner(of: base, in: ownership)
        else { return nil }
        guard let list = owner.plan.relationships.first(where: { $0.holds(plan, in: base) }) else { return nil }
        (self.plan, self.key, self.remote) = (plan, key, base[remote])
        (ownerPlan, ownerKey, self.list) = (owner.plan, owner.key, list)
    }

    package var owner: RecordID { RecordID(ownerPlan, key: ownerKey) }
    package var relationship: String { list.name }

    /// The same as what a merge keeps from reappearing.
    package var asSent: SentMember {
        SentMember(
            plan: plan, key: key, owner: owner, relationship: relationship, position: 0, row: [], state: .deleted,
            remote: remote)
    }

    /// Those that were deleted locally, of entities whose records are never sent separately.
    package static func all(_ database: Database, plans: SchemaPlan) throws -> [DeletedMember] {
        let inside = plans.filter { $0.travelsInside && $0.remoteColumn != nil }
        guard try areThere(database, plans: plans) else { return [] }
        return try inside.flatMap { plan in
            try PendingChange.fetch(
                database, of: plan, where: "entity = ? AND change = \(OutboxChange.delete.rawValue)",
                with: [plan.name.databaseValue]
            ).compactMap { change in
                DeletedMember(
                    plan, key: change.key, base: try OutboxWriter(database, plan: plan).base(of: change.key))
            }
        }
    }

    /// Whether any were deleted locally.
    package static func areThere(_ database: Database, plans: SchemaPlan) throws -> Bool {
        let names = plans.lazy.filter { $0.travelsInside && $0.remoteColumn != nil }.map { OutboxSQL.literal($0.name) }
        guard !names.isEmpty, try database.hasTable(OutboxTables.outbox) else { return false }
        return try !database.valueRows(
            """
            SELECT 1 FROM \(OutboxTables.outbox) WHERE entity IN (\(names.joined(separator: ", "))) \
            AND change = \(OutboxChange.delete.rawValue) LIMIT 1
            """
        ).isEmpty
    }
}

extension EntityPlan {
    /// The column that identifies a record to be removed from a list to the server; `nil` if several columns are
    /// needed.
    package var nestedIdentity: Int? { remoteColumn ?? (keyColumns.count == 1 ? keyColumns[0] : nil) }

    /// A record in the owners that it was sent with, in requests without a response.
    ///
    /// - Parameters:
    ///   - values: What was sent, by columns.
    ///   - base: The record's other values.
    package func positions(sent values: [Int: [DatabaseValue]], base: [DatabaseValue]) -> [[DatabaseValue]] {
        if values.isEmpty { return [] }
        return ownerColumns.flatMap { columns -> [[DatabaseValue]] in
            let sent = columns.map { values[$0] ?? [] }
            return (0..<(sent.map(\.count).max() ?? 0)).map { number in
                var row = base
                for other in ownerColumns.joined() { row[other] = .null }
                for (column, values) in zip(columns, sent) {
                    row[column] = values.indices.contains(number) ? values[number] : values.last ?? base[column]
                }
                return row
            }
        }
    }
}

extension RelationshipDescription {
    /// Whether it embeds a record with these values, whose own columns determine the owner.
    package func holds(_ plan: EntityPlan, in row: [DatabaseValue]) -> Bool {
        guard isEmbedded, destination === plan, let columns = columnsOfInverse else { return false }
        return columns.allSatisfy { !row[$0].isNull }
    }
}
