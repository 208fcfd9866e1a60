import GRDB
import LockstepEvolution
import LockstepTables

/// Links in the payload to records that a merge deletes: they stay, as links to records that have not been received yet
/// do (Rules.md, M16).
///
/// Detachments handle the keys that other records hold. This handles the links that are deleted with the record: the
/// rows of a many to many, and the record's own key of an owner that lists it by identity.
final class KeptLinks {
    private let transaction: MergeTransaction
    private var rows: [JoinRow] = []
    private var waiting: [WaitingMember] = []
    /// The remote identities of the records.
    private var remotes: [(record: RecordReference, remote: DatabaseValue)] = []
    private var statements: [String: RawStatement] = [:]
    private lazy var waitingLinks = WaitingLinks(transaction)

    /// A row of a many to many, with its positions.
    private struct JoinRow {
        let join: JoinDescription
        let values: [DatabaseValue]
    }

    private struct WaitingMember {
        let record: RecordReference
        let owner: [DatabaseValue]
        let entity: MergeEntity
        let relationship: MergeRelationship
        let position: Int
    }

    private let isReplaced: (RecordReference) -> Bool

    /// - Parameter isReplaced: Whether another record has replaced a record at the end of a to-one. A copy of that in
    ///   the payload may link to the replaced one, although it does not count.
    init(_ transaction: MergeTransaction, isReplaced: @escaping (RecordReference) -> Bool) {
        self.transaction = transaction
        self.isReplaced = isReplaced
    }

    /// Remembers the links of a record that the payload has, before the record is deleted.
    func remember(_ record: RecordReference) throws {
        let entity = transaction.plan.entities[record.entity]
        for source in transaction.plan.entities {
            for (index, relationship) in source.relationships.enumerated()
            where relationship.destination == record.entity && relationship.description.wire != .none {
                guard case .manyToMany(let join) = relationship.description.kind else { continue }
                try rememberRows(of: join, to: record, from: source, for: index)
            }
        }
        for link in entity.relationships { try rememberOwner(by: link, of: record, entity: entity) }
        guard let remote = entity.plan.remoteColumn else { return }
        let name = SQLName.quoted(entity.plan.columns[remote].name)
        let sql = "SELECT \(name) FROM \(SQLName.quoted(entity.plan.table)) WHERE \(entity.plan.keyCondition)"
        if let value = try statement(sql).firstValue(record.key.values), !value.isNull {
            remotes.append((record, value))
        }
    }

    private func rememberRows(
        of join: JoinDescription, to record: RecordReference, from source: MergeEntity, for relationship: Int
    ) throws {
        let columns = join.columns.map(SQLName.quoted).joined(separator: ", ")
        var owners: [RecordKey] = []
        let sql =
            "SELECT \(columns) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.destinationColumns))"
        try statement(sql).forEachRow(record.key.values) { row in
            let key = row.key(join.sourceColumns.count)
            guard transaction.isListStated(relationship, of: key.fingerprint, entity: source) else { return }
            rows.append(JoinRow(join: join, values: join.columns.indices.map { row.value($0) }))
            if join.isSymmetric { owners.append(key) }
        }
        for owner in owners { try rememberBack(of: join, from: record, to: owner) }
    }

    /// Remembers the row of a symmetric link in the other direction.
    private func rememberBack(of join: JoinDescription, from record: RecordReference, to owner: RecordKey) throws {
        let columns = join.columns.map(SQLName.quoted).joined(separator: ", ")
        let condition = SQLName.condition(join.sourceColumns + join.destinationColumns)
        let sql = "SELECT \(columns) FROM \(SQLName.quoted(join.table)) WHERE \(condition)"
        try statement(sql).forEachRow(record.key.values + owner.values) { row in
            rows.append(JoinRow(join: join, values: join.columns.indices.map { row.value($0) }))
        }
    }

    /// Remembers an owner that lists the record by its identity.
    private func rememberOwner(by link: MergeRelationship, of record: RecordReference, entity: MergeEntity) throws {
        guard let foreignKey = link.foreignKey, let inverse = link.inverse else { return }
        let owners = transaction.plan.entities[link.destination]
        let relationship = owners.relationships[inverse]
        guard relationship.description.listsIdentities, case .toMany = relationship.description.kind else { return }
        let columns = (foreignKey + (link.positionColumn.map { [$0] } ?? [])).map {
            SQLName.quoted(entity.plan.columns[$0].name)
        }
        let sql = """
            SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(entity.plan.table)) \
            WHERE \(entity.plan.keyCondition)
            """
        try statement(sql).forEachRow(record.key.values) { row in
            let owner = foreignKey.indices.map { row.value($0) }
            guard owner.allSatisfy({ !$0.isNull }),
                transaction.isListStated(inverse, of: RecordKey(owner).fingerprint, entity: owners)
            else { return }
            let position = link.positionColumn.map { _ in Int.fromDatabaseValue(row.value(foreignKey.count)) ?? 0 } ?? 0
            waiting.append(
                WaitingMember(
                    record: record, owner: owner, entity: owners, relationship: relationship, position: position))
        }
    }

    /// Writes the links that were deleted with the records again.
    func restore() throws {
        for row in rows {
            let columns = row.join.columns.map(SQLName.quoted)
            let sql = """
                INSERT OR IGNORE INTO \(SQLName.quoted(row.join.table)) (\(columns.joined(separator: ", "))) \
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """
            try transaction.changes.note(.insert, in: row.join.table, database: transaction.database)
            try statement(sql).run(row.values)
        }
        let arena = transaction.staging.arena
        for member in waiting {
            try waitingLinks.keep(
                member.record.key.values[0], at: member.position, owner: member.owner.map { Cell($0, arena: arena) },
                of: member.entity, for: member.relationship)
        }
        for (record, remote) in remotes {
            let entity = transaction.plan.entities[record.entity]
            let references = transaction.identities.references
            guard try isReplaced(record) || references.exist(to: record.key.values[0], of: entity) else { continue }
            // It gets the same key if it is received again.
            try transaction.identities.keep(
                Cell(record.key.values[0], arena: arena), of: Cell(remote, arena: arena), entity: entity)
        }
        (rows, waiting, remotes) = ([], [], [])
    }

    private func statement(_ sql: String) throws -> RawStatement {
        if let known = statements[sql] { return known }
        let statement = try RawStatement(sql, in: transaction.database)
        statements[sql] = statement
        return statement
    }
}

extension JoinDescription {
    /// All columns of the table, starting with the source's key.
    fileprivate var columns: [String] {
        sourceColumns + destinationColumns + [position, inversePosition].compactMap { $0 }
    }
}
