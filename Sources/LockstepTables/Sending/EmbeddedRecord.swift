package import GRDB

/// A record and the records that its JSON embeds, as their rows, in the order of the JSON.
package struct EmbeddedRecord: Sendable {
    package let plan: EntityPlan
    package let key: RecordKey
    /// The values of all columns.
    package let row: [DatabaseValue]
    /// The embedded records of each relationship, by its index.
    package let members: [(relationship: Int, records: [EmbeddedRecord])]

    package var recordID: RecordID { RecordID(plan, key: key) }
}

extension EmbeddedRecord {
    /// Reads what a record embeds.
    ///
    /// - Parameter row: The record's own.
    package init(_ plan: EntityPlan, row: [DatabaseValue], in database: Database) throws {
        try self.init(plan, row: row, database: database, in: [])
    }

    /// - Parameter owners: The records that it is in. Records that contain each other in a circle end there
    ///   (Rules.md, R8).
    private init(_ plan: EntityPlan, row: [DatabaseValue], database: Database, in owners: Set<RecordID>) throws {
        self.plan = plan
        self.row = row
        key = RecordKey(plan.keyColumns.map { row[$0] })
        let owners = owners.union([RecordID(plan, key: key)])
        members = try plan.relationships.enumerated().filter(\.element.isEmbedded).map { relationship, description in
            let destination = description.destination
            let rows = try plan.memberRows(of: relationship, row: row, in: database).filter { member in
                !owners.contains(RecordID(destination, key: RecordKey(destination.keyColumns.map { member[$0] })))
            }
            return (
                relationship, try rows.map { try EmbeddedRecord(destination, row: $0, database: database, in: owners) }
            )
        }
    }
}

extension EntityPlan {
    /// The rows of the records that a relationship of a record leads to, in its order.
    ///
    /// - Parameter row: The record's own.
    package func memberRows(
        of relationship: Int, row: [DatabaseValue], in database: Database
    ) throws -> [[DatabaseValue]] {
        let description = relationships[relationship]
        let destination = description.destination
        let key = keyColumns.map { row[$0] }
        switch description.kind {
        case .toOne(let columns, position: _, isRequired: _):
            let key = columns.map { row[$0] }
            return key.contains(where: \.isNull) ? [] : try database.valueRows(destination.findSQL, with: key)
        case .toOneInverse, .toMany:
            guard let inverse = description.inverseIndex,
                case .toOne(let columns, let position, isRequired: _) = destination.relationships[inverse].kind
            else { return [] }
            let condition = SQLName.condition(columns.map { destination.columns[$0].name }, in: destination.table)
            let rows = try database.valueRows("\(destination.selectSQL) WHERE \(condition)", with: key)
            guard description.isOrdered, let position else {
                return destination.sorted(rows, by: description.sortedBy)
            }
            // Those without a rank come last.
            return rows.enumerated().map { (rank: Int64.fromDatabaseValue($1[position]) ?? .max, offset: $0, row: $1) }
                .sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.map(\.row)
        case .manyToMany(let join):
            let condition = SQLName.condition(join.sourceColumns, in: join.table)
            let rows = try database.valueRows(destination.selectSQL(joining: join, where: condition), with: key)
                .map { Array($0.prefix(destination.columns.count)) }
            return description.isOrdered ? rows : destination.sorted(rows, by: description.sortedBy)
        }
    }

    /// Rows by the values of attributes, and by their keys if those are equal.
    private func sorted(_ rows: [[DatabaseValue]], by sorts: [SortDescription]) -> [[DatabaseValue]] {
        if sorts.isEmpty { return rows }
        let order = SortKey.order(of: self, by: sorts)
        let keyed = rows.map { row in (row: row, keys: order.map { SortKey(row[$0.column]) }) }
        return keyed.sorted { SortKey.isBefore($0.keys, $1.keys, order: order) }.map(\.row)
    }
}
