import GRDB
import LockstepTables

/// Members that were listed by identity and are not in the store yet, of relationships whose members hold the foreign
/// key (Rules.md, R3). They are stored in the table `lockstep_waiting_link` until they are received.
final class WaitingLinks {
    private let transaction: MergeTransaction
    /// Whether there are or were any.
    private var isUsed: Bool?

    init(_ transaction: MergeTransaction) { self.transaction = transaction }

    /// Removes the waiting members of an owner, except for those that its new list has in the same positions, so that
    /// unchanged rows are not written again.
    func forget(
        _ owner: LinkOwner, for relationship: MergeRelationship,
        except positions: @autoclosure () -> [KeyFingerprint: Int]
    ) throws {
        guard try areKept() else { return }
        let kept = positions()
        let (name, owner) = (name(owner.entity, for: relationship).databaseValue, stored(owner.key))
        var waiting: [(child: DatabaseValue, position: DatabaseValue)] = []
        try statements.get().ofOwner.forEachRow([name, owner]) { waiting.append(($0.value(0), $0.value(1))) }
        for (child, position) in waiting {
            let keptPosition = kept[[Cell(child, arena: transaction.staging.arena)].fingerprint]
            if keptPosition?.databaseValue != position {
                try statements.get().delete.run([name, child])
            }
        }
    }

    /// Removes a record that is no longer in any list.
    func forget(_ child: [Cell], of entity: MergeEntity, for relationship: MergeRelationship) throws {
        guard try areKept() else { return }
        try statements.get().delete.run([name(entity, for: relationship).databaseValue, child[0].databaseValue])
    }

    func keep(_ child: [Cell], at position: Int, of owner: LinkOwner, for relationship: MergeRelationship) throws {
        try keep(child[0].databaseValue, at: position, owner: owner.key, of: owner.entity, for: relationship)
    }

    /// - Parameter owner: The key of a record of the entity that has the relationship.
    func keep(
        _ child: DatabaseValue, at position: Int, owner: [Cell], of entity: MergeEntity,
        for relationship: MergeRelationship
    ) throws {
        isUsed = true
        try statements.get().keep.run([
            name(entity, for: relationship).databaseValue, stored(owner), child, position.databaseValue,
        ])
    }

    private lazy var statements = Result { [transaction] in try WaitingLinkTable.Statements(transaction.database) }

    /// Tries to link each waiting member.
    ///
    /// - Parameter link: Links a child, given its key, its owner's key and its position. It returns whether the child
    ///   exists.
    func connect(
        _ link: (_ child: [Cell], _ owner: [Cell], _ position: Int, MergeEntity, MergeRelationship) throws -> Bool
    ) throws {
        guard try areKept() else { return }
        for entity in transaction.plan.entities {
            for relationship in entity.relationships {
                guard relationship.description.listsIdentities, case .toMany = relationship.description.kind else {
                    continue
                }
                try connect(entity, for: relationship, link: link)
            }
        }
    }

    private func connect(
        _ entity: MergeEntity, for relationship: MergeRelationship,
        link: ([Cell], [Cell], Int, MergeEntity, MergeRelationship) throws -> Bool
    ) throws {
        let children = transaction.plan.entities[relationship.destination].plan
        let name = name(entity, for: relationship).databaseValue
        let select = try WaitingLinkTable.findArrived(in: children, database: transaction.database)
        var rows: [(child: DatabaseValue, owner: DatabaseValue, position: Int)] = []
        try select.forEachRow([name]) { row in
            rows.append((row.value(0), row.value(1), Int.fromDatabaseValue(row.value(2)) ?? 0))
        }
        let arena = transaction.staging.arena
        for row in rows {
            if try link(
                [Cell(row.child, arena: arena)], owner(row.owner, of: entity), row.position, entity, relationship)
            {
                try statements.get().delete.run([name, row.child])
            }
        }
    }

    /// An owner's key as one value; a key of several columns as a JSON array.
    private func stored(_ key: [Cell]) -> DatabaseValue {
        guard key.count > 1 else { return key[0].databaseValue }
        let parts = key.map { cell -> JSONValue in
            cell.kind == .integer ? .integer(cell.integer) : .string(String(decoding: cell.bytes, as: UTF8.self))
        }
        return StoredJSON.text(of: .array(parts)).databaseValue
    }

    private func owner(_ stored: DatabaseValue, of entity: MergeEntity) -> [Cell] {
        let arena = transaction.staging.arena
        guard entity.plan.keyColumns.count > 1 else { return [Cell(stored, arena: arena)] }
        return WaitingLinkTable.owner(stored, of: entity.plan).values.map { Cell($0, arena: arena) }
    }

    private func name(_ entity: MergeEntity, for relationship: MergeRelationship) -> String {
        WaitingLinkTable.name(of: relationship.description, in: entity.plan)
    }

    func areKept() throws -> Bool {
        if let isUsed { return isUsed }
        let isUsed = try WaitingLinkTable.hasRows(transaction.database)
        self.isUsed = isUsed
        return isUsed
    }
}
