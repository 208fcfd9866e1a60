import GRDB
import LockstepTables

/// Writes the rows of many to many links. They hold keys, so the records may be received later (Rules.md, R3).
final class JoinLinks {
    private let state: MergeState
    private let transaction: MergeTransaction
    private var statements: [Key: Statements] = [:]
    private var latest: (relationship: MergeRelationship, statements: Statements)?

    private struct Key: Hashable {
        let table: String
        let source: [String]
    }

    /// The statements for one end of a many to many.
    private struct Statements {
        let select: LazyStatement
        let insert: LazyStatement
        let delete: LazyStatement
        /// Moves a link to another position; `nil` if the relationship is not ordered.
        let move: LazyStatement?
        /// Inserts the row of the other direction, which has no position in the order of the member until the member's
        /// own list states one; `nil` unless the relationship is its own inverse.
        let insertBack: LazyStatement?
    }

    /// The rows of one owner's links in a join table.
    private struct OwnerRows {
        let owner: LinkOwner
        let relationship: MergeRelationship
        let join: JoinDescription
        let statements: Statements
    }

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
    }

    /// - Parameters:
    ///   - stored: What the store has of the list.
    ///   - others: What the lists at the other end state; `nil` if no link is listed from both ends.
    ///   - mayReplace: Whether links of existing records may be changed (Rules.md, M9).
    func write(
        _ list: LinkList, stored: StoredLists.Members, of owner: LinkOwner, for relationship: MergeRelationship,
        in join: JoinDescription, others: JoinClaims.Statements?, mayReplace: Bool
    ) throws {
        if case .same = stored { return }
        let rows = OwnerRows(
            owner: owner, relationship: relationship, join: join,
            statements: statements(for: relationship, in: join))
        var list = list
        if let local = state.local {
            list = try local.listed(list, of: owner, for: relationship) { key in
                try self.present(key, in: rows).values.sorted { $0.order < $1.order }.map(\.cells)
            }
        }
        if join.isToOne {
            return try writeToOne(list, in: rows, batch: others, mayReplace: mayReplace)
        }
        let symmetricOrder = join.isSymmetric && join.position != nil ? others : nil
        let isReordered = symmetricOrder?.reorders(list.members) ?? false
        let key = owner.key
        var present: [KeyFingerprint: Link] = [:]
        if case .others = stored {
            if try !isReordered && isSame(list.members, in: rows) { return }
            present = try self.present(key, in: rows)
        }
        var isChanged = false
        func later(about member: KeyFingerprint) -> Bool? {
            list.decidedLocally.contains(member) ? nil : others?.later(about: member)
        }
        for (index, member) in list.members.enumerated() where later(about: member.fingerprint) != false {
            let position = symmetricOrder?.hasLeft(member.fingerprint) == true ? nil : Int64(index)
            if let known = present.removeValue(forKey: member.fingerprint) {
                if try move(key, member: member.key, from: known.position, to: position, in: rows) { isChanged = true }
                if symmetricOrder?.hasLeftOrder(of: member.fingerprint) == true {
                    try clearPosition(of: member.key, in: rows)
                }
            } else if !member.isSkipped {
                try insert(key, member: member, at: position, in: rows)
                try recordSymmetricUpdate(of: member.key, in: rows)
                isChanged = true
            }
        }
        let unlisted = list.isWhole ? present.values.sorted { $0.order < $1.order } : []
        for link in unlisted where try !isKept(link, in: rows) {
            if later(about: link.cells.fingerprint) == true {
                guard symmetricOrder != nil else { continue }
                if try move(key, member: link.cells, from: link.position, to: nil, in: rows) { isChanged = true }
                continue
            }
            try delete(key, member: link.cells, in: rows)
            try recordSymmetricUpdate(of: link.cells, in: rows)
            isChanged = true
        }
        if isChanged {
            recordUpdate(of: owner.table.key(of: owner.row), in: rows, isListed: true)
        }
    }

    /// Links the owner of a symmetric to-one to its member, and unlinks both from others.
    ///
    /// - Parameter mayReplace: Whether links of existing records may be changed (Rules.md, M9).
    private func writeToOne(
        _ list: LinkList, in rows: OwnerRows, batch: JoinClaims.Statements?, mayReplace: Bool
    ) throws {
        let key = rows.owner.key
        var isChanged = false
        func isLinked(_ one: [Cell], _ other: [Cell]) -> Bool {
            batch?.isLinked(one.fingerprint, other.fingerprint) ?? false
        }
        func unlinkAll(of record: [Cell], but isKept: ([Cell]) throws -> Bool) throws {
            for link in try present(record, in: rows).values where try !isKept(link.cells) {
                try unlink(record, and: link.cells, in: rows)
                if [record.fingerprint, link.cells.fingerprint].contains(rows.owner.fingerprint) { isChanged = true }
            }
        }
        let members = list.members.filter {
            list.decidedLocally.contains($0.fingerprint) || isLinked(key, $0.key)
        }
        // The most common case: the two are linked already, so neither has another link.
        if let member = members.first, batch?.namedRecords.count ?? 0 <= 1,
            try present(key, in: rows)[member.fingerprint] != nil
        {
            return
        }
        for member in members {
            if try present(key, in: rows)[member.fingerprint] != nil { continue }
            let pair = [key, member.key]
            if !mayReplace, try pair.contains(where: { try !present($0, in: rows).isEmpty }) {
                continue
            }
            for record in pair { try unlinkAll(of: record) { _ in false } }
            try insert(key, member: member, at: nil, in: rows)
            try recordSymmetricUpdate(of: member.key, in: rows)
            isChanged = true
        }
        if list.isWhole, mayReplace {
            try unlinkAll(of: key) { other in
                if members.contains(where: { $0.fingerprint == other.fingerprint }) { return true }
                return try isLinked(key, other) || isKeptLocally(key, and: other, in: rows)
            }
        }
        if list.decidedLocally.isEmpty, mayReplace {
            for record in batch?.namedRecords ?? [] {
                try unlinkAll(of: record) { other in
                    try isLinked(record, other) || isKeptLocally(record, and: other, in: rows)
                }
            }
        }
        if isChanged {
            recordUpdate(of: rows.owner.table.key(of: rows.owner.row), in: rows, isListed: true)
        }
    }

    /// Whether a link was made locally, or has a record that the server does not know.
    private func isKeptLocally(_ record: [Cell], and other: [Cell], in rows: OwnerRows) throws -> Bool {
        let destination = transaction.plan.entities[rows.relationship.destination]
        if try state.isOnlyLocal(record, of: destination) || state.isOnlyLocal(other, of: destination) { return true }
        guard let edits = try state.local?.edits(of: rows.relationship, entity: rows.owner.entity) else { return false }
        return try edits.links(of: record)?.isAdded(other) == true || edits.links(of: other)?.isAdded(record) == true
    }

    /// Unlinks two records of a symmetric to-one. Both are updated, if they are in the store.
    private func unlink(_ record: [Cell], and other: [Cell], in rows: OwnerRows) throws {
        try delete(record, member: other, in: rows)
        for end in [record, other] where end.fingerprint != rows.owner.fingerprint {
            try recordSymmetricUpdate(of: end, in: rows)
        }
    }

    /// - Parameter isListed: Whether the payload has the record; otherwise it was reached by a link.
    private func recordUpdate(of key: RecordKey, in rows: OwnerRows, isListed: Bool) {
        transaction.changeTrace?.record(rows.owner.entity, key: key, names: [rows.relationship.description.name])
        transaction.record(.updated, of: rows.owner.entity, fingerprint: key.fingerprint, key: key, isListed: isListed)
    }

    /// Records that the other record of a symmetric link is updated too, if it is in the store.
    private func recordSymmetricUpdate(of member: [Cell], in rows: OwnerRows) throws {
        guard rows.join.isSymmetric, try transaction.statements(of: rows.owner.entity).hasRecord(member) else { return }
        recordUpdate(of: RecordKey(member.map(\.databaseValue)), in: rows, isListed: false)
    }

    /// Whether an owner already has exactly these links, in their order. This allocates nothing, since it is the most
    /// common case.
    private func isSame(_ members: [LinkMember], in rows: OwnerRows) throws -> Bool {
        let select = try rows.statements.select.get()
        select.bind(keyOf: rows.owner)
        defer { select.reset() }
        let keyCount = rows.join.destinationColumns.count
        var count = 0
        while try select.step() {
            let index = members.index(of: select.fingerprint(ofKey: 0..<keyCount), guess: count)
            guard index >= 0 else { return false }
            if rows.join.position != nil {
                guard index == count, select.hasSame(Cell(integer: Int64(index)), column: keyCount) else {
                    return false
                }
            }
            count += 1
        }
        // Neither links nor members occur twice.
        return count == members.count
    }

    /// An existing link.
    private struct Link {
        /// The key at the other end, and the memory that stores its texts.
        let cells: [Cell]
        let position: Int64?
        let order: Int
    }

    private func present(_ owner: [Cell], in rows: OwnerRows) throws -> [KeyFingerprint: Link] {
        let select = try rows.statements.select.get()
        select.bind(owner)
        defer { select.reset() }
        var links: [KeyFingerprint: Link] = [:]
        let count = rows.join.destinationColumns.count
        while try select.step() {
            let cells = (0..<count).map { select.cell($0).copied(to: transaction.staging.arena) }
            let position = rows.join.position == nil ? Cell.null : select.cell(count)
            links[cells.fingerprint] = Link(
                cells: cells, position: position.kind == .integer ? position.integer : nil, order: links.count)
        }
        return links
    }

    /// A link to a record that has never reached the server stays, since the server cannot list it.
    private func isKept(_ link: Link, in rows: OwnerRows) throws -> Bool {
        try state.isOnlyLocal(link.cells, of: transaction.plan.entities[rows.relationship.destination])
    }

    private func insert(_ owner: [Cell], member: LinkMember, at position: Int64?, in rows: OwnerRows) throws {
        let insert = try rows.statements.insert.get()
        insert.bind(owner + member.key + (rows.join.position == nil ? [] : [Self.cell(position)]))
        try recordChange(.insert, in: rows.join)
        try insert.run()
        guard let back = try rows.statements.insertBack?.get() else { return }
        back.bind(member.key + owner)
        try back.run()
    }

    private static func cell(_ position: Int64?) -> Cell { position.map { Cell(integer: $0) } ?? .null }

    /// Moves a link to a position in the owner's order, or to none.
    ///
    /// - Returns: Whether it had another one.
    private func move(
        _ owner: [Cell], member: [Cell], from known: Int64?, to position: Int64?, in rows: OwnerRows
    ) throws -> Bool {
        guard known != position, let move = try rows.statements.move?.get() else { return false }
        move.bind([Self.cell(position)] + owner + member)
        try recordChange(.update, in: rows.join)
        try move.run()
        return true
    }

    /// Takes the owner's position in the order of a member of a symmetric list away.
    private func clearPosition(of member: [Cell], in rows: OwnerRows) throws {
        let known = try present(member, in: rows)[rows.owner.fingerprint]?.position
        if try move(member, member: rows.owner.key, from: known, to: nil, in: rows) {
            try recordSymmetricUpdate(of: member, in: rows)
        }
    }

    private func delete(_ owner: [Cell], member: [Cell], in rows: OwnerRows) throws {
        try recordChange(.delete, in: rows.join)
        let delete = try rows.statements.delete.get()
        for pair in rows.join.isSymmetric ? [owner + member, member + owner] : [owner + member] {
            delete.bind(pair)
            try delete.run()
        }
    }

    private func recordChange(_ event: RowWrite.Event, in join: JoinDescription) throws {
        try transaction.changes.note(event, in: join.table, database: transaction.database)
    }

    private func statements(for relationship: MergeRelationship, in join: JoinDescription) -> Statements {
        if let latest, latest.relationship === relationship { return latest.statements }
        let statements = statements(for: join)
        latest = (relationship, statements)
        return statements
    }

    private func statements(for join: JoinDescription) -> Statements {
        let key = Key(table: join.table, source: join.sourceColumns)
        if let known = statements[key] { return known }
        let table = SQLName.quoted(join.table)
        let destination = join.destinationColumns.map(SQLName.quoted)
        let position = join.position.map(SQLName.quoted)
        let pair = SQLName.condition(join.sourceColumns + join.destinationColumns)
        let columns = (join.sourceColumns + join.destinationColumns).map(SQLName.quoted) + (position.map { [$0] } ?? [])
        // In the order of the other end, the link comes last.
        let inverse = join.inversePosition.map(SQLName.quoted)
        let next = join.inversePosition.map {
            ", " + join.nextPositionSQL($0, of: join.destinationColumns, from: join.sourceColumns.count + 1)
        }
        let keys = (join.sourceColumns + join.destinationColumns).map(SQLName.quoted)
        let order = position.map { " ORDER BY \($0) IS NULL, \($0)" } ?? ""
        let made = Statements(
            select: LazyStatement(
                "SELECT \((destination + (position.map { [$0] } ?? [])).joined(separator: ", ")) FROM \(table) "
                    + "WHERE \(SQLName.condition(join.sourceColumns))\(order)", in: transaction.database),
            insert: LazyStatement(
                "INSERT OR IGNORE INTO \(table) (\((columns + (inverse.map { [$0] } ?? [])).joined(separator: ", "))) "
                    + "VALUES (\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", "))\(next ?? ""))",
                in: transaction.database),
            delete: LazyStatement("DELETE FROM \(table) WHERE \(pair)", in: transaction.database),
            move: position.map {
                LazyStatement("UPDATE \(table) SET \($0) = ? WHERE \(pair)", in: transaction.database)
            },
            insertBack: join.isSymmetric
                ? LazyStatement(
                    "INSERT OR IGNORE INTO \(table) (\(keys.joined(separator: ", "))) "
                        + "VALUES (\(keys.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))",
                    in: transaction.database) : nil)
        statements[key] = made
        return made
    }
}

extension JoinDescription {
    /// The position after all others of an owner, whose key is in the parameters from `first` on.
    func nextPositionSQL(_ position: String, of owner: [String], from first: Int) -> String {
        let condition = owner.enumerated().map { "\(SQLName.quoted($1)) = ?\(first + $0)" }.joined(separator: " AND ")
        return
            "(SELECT ifnull(max(\(SQLName.quoted(position))) + 1, 0) FROM \(SQLName.quoted(table)) WHERE \(condition))"
    }
}

extension Cell {
    /// The cell, with its bytes copied to an arena.
    func copied(to arena: TextArena) -> Cell {
        switch kind {
        case .text: Cell(text: arena.copy(bytes))
        case .blob: Cell(blob: arena.copy(bytes))
        default: self
        }
    }
}
