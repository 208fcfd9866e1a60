import Foundation
import GRDB
import LockstepStore

/// Finds the keys that records have here whose identity the server gives (`{ local, remote }`).
///
/// A link may come before the record that it points at (rule R2). The key that the record will have is made then and
/// kept in the table `lockstep_reserved_identity`, so that the link works by itself when the record comes.
final class RemoteIdentities {
    private let database: Database
    private let plan: MergePlan
    private let union: RecordUnion
    private let makeIdentity: () -> UUID
    /// What was found, by entity and server's identity. Its texts live as long as this does.
    private var known: [Int: [KeyFingerprint: Cell]] = [:]
    private var arena = TextArena()
    private var finds: [Int: RawStatement] = [:]
    private var deletedFinds: [Int: RawStatement] = [:]
    private var keyFinds: [Int: RawStatement] = [:]
    /// Whether keys are reserved, or were.
    private var hasReserved: Bool
    private let hasOutbox: Bool
    /// Keys that were made for staged records, and whether something points at them.
    private var made: [MadeKey: Bool] = [:]

    private struct MadeKey: Hashable {
        let entity: Int
        let fingerprint: KeyFingerprint
    }

    init(
        _ plan: MergePlan, _ database: Database, _ union: RecordUnion, _ makeIdentity: @escaping () -> UUID
    ) throws {
        self.plan = plan
        self.union = union
        self.database = database
        self.makeIdentity = makeIdentity
        hasReserved = try ReservedIdentities.hasRows(database)
        hasOutbox = try OutboxTable.exists(database)
    }

    /// Forgets the keys that were made for records that are here now. One may have got the server's identity by other
    /// means than a merge, as from an answer to its upload, and has a key of its own: the links follow.
    ///
    /// Where they cannot, as the server has two of what would be one, they wait.
    ///
    /// - Returns: What became one with it.
    func adoptArrived() throws -> [RecordUnion.Pair] {
        guard hasReserved else { return [] }
        var united: [RecordUnion.Pair] = []
        for entity in plan.entities {
            guard let remote = entity.plan.remoteColumn else { continue }
            let arrived = try ReservedIdentities.arrived(in: entity.plan, remote, database)
            if arrived.isEmpty { continue }
            let stuck = try arrived.filter { keys in
                if keys.reserved == keys.own { return false }
                let pair = RecordUnion.Pair(
                    plan: entity.plan, record: RecordKey(keys.reserved), other: RecordKey(keys.own))
                let below = try union.unite(pair) { _ = try union.move($0) }
                united += below ?? []
                return below == nil
            }
            try ReservedIdentities.deleteArrived(in: entity.plan, remote, except: stuck.map(\.reserved), database)
        }
        return united
    }

    /// Gives every staged record of an entity the key that it has here, or will have.
    func resolve(_ table: StagedTable, _ staging: Staging) throws {
        guard let remote = table.entity.plan.remoteColumn else { return }
        let local = table.entity.plan.keyColumns[0]
        for row in 0..<table.count {
            let cells = table.row(row)
            if cells[remote].isValue {
                cells[local] = try key(of: cells[remote], in: table.entity, given: cells[local])
            }
        }
    }

    /// The key of the record with an identity of the server's, whether it is here or not.
    func key(of remote: Cell, in entity: MergeEntity, given: Cell = .absent, isReserved: Bool = false) throws -> Cell {
        let fingerprint = remote.fingerprint
        let made = MadeKey(entity: entity.place, fingerprint: fingerprint)
        if let key = known[entity.place]?[fingerprint] {
            if isReserved, self.made[made] == false { pointedAt(made, remote, key, entity) }
            return key
        }
        var key = try storedKey(of: remote, in: entity)
        if key == nil, !isReserved { key = try deletedKey(of: remote, in: entity) }
        if key == nil { key = try reservedKey(of: remote, in: entity, given) }
        if key == nil, given.kind == .text { key = Cell(text: arena.copy(given.bytes)) }
        let found = key ?? Cell(text: arena.copy(makeIdentity().uuidString.lowercased()))
        if key == nil {
            if isReserved { try reserve(remote, found, entity) } else { self.made[made] = false }
        }
        known[entity.place, default: [:]][fingerprint] = found
        return found
    }

    /// Whether the store has the record with an identity of the server's.
    func isHere(_ remote: Cell, in entity: MergeEntity) throws -> Bool { try storedKey(of: remote, in: entity) != nil }

    /// Says which key a record has here whose identity on the server has only now become known.
    func know(_ remote: Cell, as key: RecordKey, in entity: MergeEntity) {
        known[entity.place, default: [:]][remote.fingerprint] = Cell(key.values[0], arena: arena)
    }

    /// Records whose key was made with them, and that something points at.
    private var awaited: [(remote: Cell, key: Cell, entity: MergeEntity)] = []

    private func pointedAt(_ made: MadeKey, _ remote: Cell, _ key: Cell, _ entity: MergeEntity) {
        self.made[made] = true
        awaited.append((remote.copied(to: arena), key, entity))
    }

    /// Keeps the keys of records that did not make it into the store, so that what points at them finds them later.
    func reserveMissing() throws {
        defer { awaited.removeAll(keepingCapacity: true) }
        for (remote, key, entity) in awaited where try storedKey(of: remote, in: entity) == nil {
            try reserve(remote, key, entity)
        }
    }

    /// More than this is read from the store again where it is asked for again: 64 bytes each, and those of their
    /// texts.
    static let knownLimit = 100_000

    /// Forgets the keys of records that a batch has written, where that are many: the store knows them now.
    ///
    /// - Parameters:
    ///   - limit: How many may be known.
    ///   - isAllWritten: Whether no record of the batch was left out; else each key is looked for.
    func forgetWritten(beyond limit: Int, isAllWritten: Bool) throws {
        guard known.values.reduce(0, { $0 + $1.count }) > limit else { return }
        var kept: [Int: [KeyFingerprint: Cell]] = [:]
        let keptArena = TextArena()
        if !isAllWritten {
            for made in made.keys {
                guard let key = known[made.entity]?[made.fingerprint], try !hasRecord(key, made.entity) else {
                    continue
                }
                kept[made.entity, default: [:]][made.fingerprint] = key.copied(to: keptArena)
            }
        }
        made = made.filter { kept[$0.key.entity]?[$0.key.fingerprint] != nil }
        (known, arena) = (kept, keptArena)
    }

    private func hasRecord(_ key: Cell, _ place: Int) throws -> Bool {
        let plan = plan.entities[place].plan
        let column = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        let statement =
            try keyFinds[place]
            ?? RawStatement("SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(column) = ?", database)
        keyFinds[place] = statement
        defer { statement.reset() }
        key.bind(to: statement.pointer, 1)
        return try statement.step()
    }

    func storedKey(of remote: Cell, in entity: MergeEntity) throws -> Cell? {
        guard let column = entity.plan.remoteColumn else { return nil }
        let names = entity.plan.columns.map { SQLName.quoted($0.name) }
        let statement =
            try finds[entity.place]
            ?? RawStatement(
                """
                SELECT \(names[entity.plan.keyColumns[0]]) FROM \(SQLName.quoted(entity.plan.table)) \
                WHERE \(names[column]) = ?
                """, database)
        finds[entity.place] = statement
        defer { statement.reset() }
        remote.bind(to: statement.pointer, 1)
        return try statement.step() ? Cell(text: arena.copy(statement.cell(0).bytes)) : nil
    }

    /// The key of a record that was deleted here, and whose delete the server has not confirmed: it is that record, and
    /// no new one (Rules.md, C3).
    func deletedKey(of remote: Cell, in entity: MergeEntity) throws -> Cell? {
        guard let column = entity.plan.remoteColumn, hasOutbox, entity.plan.isTracked else { return nil }
        let statement =
            try deletedFinds[entity.place] ?? OutboxTable.findDeleted(by: column, of: entity.plan, database)
        deletedFinds[entity.place] = statement
        let arguments = [remote.databaseValue, entity.plan.name.databaseValue]
        guard case .string(let deleted)? = try statement.firstValue(arguments)?.storage else { return nil }
        return Cell(text: arena.copy(deleted))
    }

    /// The key that was made for a link. Where the record comes with one of its own, the links follow.
    private func reservedKey(of remote: Cell, in entity: MergeEntity, _ given: Cell) throws -> Cell? {
        guard hasReserved else { return nil }
        let arguments = [entity.plan.name.databaseValue, remote.databaseValue]
        guard case .string(let reserved)? = try reserved.get().find.firstValue(arguments)?.storage else { return nil }
        guard given.kind == .text else { return Cell(text: arena.copy(reserved)) }
        let own = String(decoding: given.bytes, as: UTF8.self)
        if own != reserved {
            let pair = RecordUnion.Pair(
                plan: entity.plan, record: RecordKey(reserved.databaseValue), other: RecordKey(own.databaseValue))
            guard try union.unite(pair, { _ = try union.move($0) }) != nil else {
                return Cell(text: arena.copy(reserved))
            }
        }
        try self.reserved.get().delete.run(arguments)
        return Cell(text: arena.copy(own))
    }

    /// Keeps the key of a record that is deleted and that something points at still.
    func keep(_ local: Cell, of remote: Cell, _ entity: MergeEntity) throws { try reserve(remote, local, entity) }

    private func reserve(_ remote: Cell, _ local: Cell, _ entity: MergeEntity) throws {
        hasReserved = true
        try reserved.get().insert.run([entity.plan.name.databaseValue, remote.databaseValue, local.databaseValue])
    }

    private lazy var reserved = Result { try ReservedIdentities.Statements(database) }
}
