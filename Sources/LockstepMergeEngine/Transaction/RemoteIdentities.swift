import Foundation
import GRDB
import LockstepTables

/// Finds the local keys of records whose identity the server assigns (`{ local, remote }`).
///
/// A link may be received before the record that it refers to (Rules.md, R2). The record's future key is then created.
/// If the link is stored, so is the key, in the table `lockstep_reserved_identity`: the link is valid once the record
/// is received.
final class RemoteIdentities {
    private let database: Database
    private let plan: MergePlan
    private let union: RecordUnion
    private let makeIdentity: () -> UUID
    /// The keys that were found, by entity and remote identity. The arena below stores their texts.
    private var known: [Int: [KeyFingerprint: Cell]] = [:]
    private var arena = TextArena()
    private var finds: [Int: RawStatement] = [:]
    private var deletedFinds: [Int: RawStatement] = [:]
    private var keyFinds: [Int: RawStatement] = [:]
    /// Whether keys are or were reserved.
    private var hasReserved: Bool
    private let hasOutbox: Bool
    let references: StoredReferences
    /// Keys of records that the store did not have when they were asked for, and whether the payload refers to them.
    private var made: [MadeKey: Bool] = [:]

    private struct MadeKey: Hashable {
        let entity: Int
        let fingerprint: KeyFingerprint
    }

    init(_ plan: MergePlan, in database: Database, union: RecordUnion, makeIdentity: @escaping () -> UUID) throws {
        self.plan = plan
        self.union = union
        self.database = database
        self.makeIdentity = makeIdentity
        hasReserved = try ReservedIdentities.hasRows(database)
        hasOutbox = try OutboxTable.exists(database)
        references = StoredReferences(plan, in: database)
    }

    /// Removes reserved keys of records that are now in the store. Such a record may have got its remote identity by
    /// other means than a merge, such as the response to its creation, and has its own key: the links are redirected to
    /// it.
    ///
    /// If that is impossible because the server has both of two colliding records, the reservation stays.
    ///
    /// - Returns: The pairs that were merged with it.
    func adoptArrived() throws -> [RecordUnion.Pair] {
        guard hasReserved else { return [] }
        var united: [RecordUnion.Pair] = []
        for entity in plan.entities {
            guard let remote = entity.plan.remoteColumn else { continue }
            let arrived = try ReservedIdentities.arrived(in: entity.plan, remote: remote, database: database)
            if arrived.isEmpty { continue }
            let stuck = try arrived.filter { keys in
                if keys.reserved == keys.own { return false }
                let pair = RecordUnion.Pair(
                    plan: entity.plan, record: RecordKey(keys.reserved), other: RecordKey(keys.own))
                let below = try union.unite(pair) { _ = try union.move($0) }
                united += below ?? []
                return below == nil
            }
            try ReservedIdentities.deleteArrived(
                in: entity.plan, remote: remote, except: stuck.map(\.reserved), database: database)
        }
        return united
    }

    /// Assigns to every staged record of an entity its local key.
    func resolve(_ table: StagedTable, in staging: Staging) throws {
        guard let remote = table.entity.plan.remoteColumn else { return }
        let local = table.entity.plan.keyColumns[0]
        for row in 0..<table.count {
            let cells = table.row(row)
            if cells[remote].isValue {
                cells[local] = try key(of: cells[remote], in: table.entity, given: cells[local])
            }
        }
    }

    /// The local key of the record with a remote identity, whether or not the store has the record.
    ///
    /// - Parameters:
    ///   - given: The local key that the payload has for the record.
    ///   - isLinked: Whether something in the payload refers to the record, so that its key may have to be reserved.
    func key(of remote: Cell, in entity: MergeEntity, given: Cell = .absent, isLinked: Bool = false) throws -> Cell {
        let fingerprint = remote.fingerprint
        let made = MadeKey(entity: entity.index, fingerprint: fingerprint)
        if let key = known[entity.index]?[fingerprint] {
            if isLinked, self.made[made] == false { markReferenced(made, remote: remote, key: key, of: entity) }
            return key
        }
        if let key = try storedKey(of: remote, in: entity) {
            known[entity.index, default: [:]][fingerprint] = key
            return key
        }
        let deleted = try deletedKey(of: remote, in: entity)
        if deleted == nil, let key = try reservedKey(of: remote, in: entity, given: given) {
            known[entity.index, default: [:]][fingerprint] = key
            return key
        }
        let key = deleted ?? makeKey(given: given)
        known[entity.index, default: [:]][fingerprint] = key
        self.made[made] = false
        if isLinked { markReferenced(made, remote: remote, key: key, of: entity) }
        return key
    }

    private func makeKey(given: Cell) -> Cell {
        guard given.kind == .text else { return Cell(text: arena.copy(makeIdentity().uuidString.lowercased())) }
        return Cell(text: arena.copy(given.bytes))
    }

    /// Whether the store has the record with a remote identity.
    func isStored(_ remote: Cell, in entity: MergeEntity) throws -> Bool {
        try storedKey(of: remote, in: entity) != nil
    }

    /// Registers the local key of a record whose remote identity has only now become known.
    func register(_ remote: Cell, as key: RecordKey, in entity: MergeEntity) {
        known[entity.index, default: [:]][remote.fingerprint] = Cell(key.values[0], arena: arena)
    }

    /// Records that the payload refers to, and that were not in the store when their key was made.
    private var awaited: [AwaitedRecord] = []

    private struct AwaitedRecord {
        let remote: Cell
        let key: Cell
        let entity: MergeEntity
    }

    private func markReferenced(_ made: MadeKey, remote: Cell, key: Cell, of entity: MergeEntity) {
        self.made[made] = true
        awaited.append(AwaitedRecord(remote: remote.copied(to: arena), key: key, entity: entity))
    }

    /// Reserves the keys of records that were not written and that something in the store refers to, so that the links
    /// become valid later.
    ///
    /// A link that the payload has may not be in the store, for example because another statement of the payload
    /// replaces it. Its record is looked up again when this is called the next time, unless there are too many.
    ///
    /// - Parameter hasLocalEdits: Whether there are pending changes. Their base values and links may be the only ones
    ///   that refer to a record.
    func reserveMissing(hasLocalEdits: Bool) throws {
        let isCertain = hasLocalEdits || awaited.count > Self.knownLimit
        awaited = try awaited.filter { record in
            // With another key, it has come by other means than this merge, and adopts the reserved one.
            let stored = try storedKey(of: record.remote, in: record.entity)
            if stored?.isIdentical(to: record.key) == true { return false }
            let isReserved = try isCertain || references.exist(to: record.key.databaseValue, of: record.entity)
            guard isReserved else { return true }
            try reserve(record.remote, local: record.key, of: record.entity)
            return false
        }
    }

    /// The maximum number of keys kept in memory, at 64 bytes each plus their texts. Others are read from the store
    /// again.
    static let knownLimit = 100_000

    /// Releases the keys of records that a batch has written if there are too many: the store has them now.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of keys to keep.
    ///   - isAllWritten: Whether no record of the batch was skipped. Otherwise, each key is looked up.
    func forgetWritten(beyond limit: Int, isAllWritten: Bool) throws {
        guard known.values.reduce(0, { $0 + $1.count }) > limit else { return }
        var kept: [Int: [KeyFingerprint: Cell]] = [:]
        let keptArena = TextArena()
        if !isAllWritten {
            for made in made.keys {
                guard let key = known[made.entity]?[made.fingerprint], try !hasRecord(key, at: made.entity) else {
                    continue
                }
                kept[made.entity, default: [:]][made.fingerprint] = key.copied(to: keptArena)
            }
        }
        awaited = awaited.map { record in
            let key = record.key.copied(to: keptArena)
            kept[record.entity.index, default: [:]][record.remote.fingerprint] = key
            return AwaitedRecord(remote: record.remote.copied(to: keptArena), key: key, entity: record.entity)
        }
        made = made.filter { kept[$0.key.entity]?[$0.key.fingerprint] != nil }
        (known, arena) = (kept, keptArena)
    }

    private func hasRecord(_ key: Cell, at index: Int) throws -> Bool {
        let plan = plan.entities[index].plan
        let column = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
        let statement =
            try keyFinds[index]
            ?? RawStatement("SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(column) = ?", in: database)
        keyFinds[index] = statement
        defer { statement.reset() }
        key.bind(to: statement.pointer, parameter: 1)
        return try statement.step()
    }

    func storedKey(of remote: Cell, in entity: MergeEntity) throws -> Cell? {
        guard let column = entity.plan.remoteColumn else { return nil }
        let names = entity.plan.columns.map { SQLName.quoted($0.name) }
        let statement =
            try finds[entity.index]
            ?? RawStatement(
                """
                SELECT \(names[entity.plan.keyColumns[0]]) FROM \(SQLName.quoted(entity.plan.table)) \
                WHERE \(names[column]) = ?
                """, in: database)
        finds[entity.index] = statement
        defer { statement.reset() }
        remote.bind(to: statement.pointer, parameter: 1)
        return try statement.step() ? Cell(text: arena.copy(statement.cell(0).bytes)) : nil
    }

    /// The key of a record that was deleted locally and whose delete is not confirmed by the server: it is the same
    /// record, not a new one (Rules.md, C3).
    func deletedKey(of remote: Cell, in entity: MergeEntity) throws -> Cell? {
        guard let column = entity.plan.remoteColumn, hasOutbox, entity.plan.isTracked else { return nil }
        let statement =
            try deletedFinds[entity.index] ?? OutboxTable.findDeleted(by: column, of: entity.plan, in: database)
        deletedFinds[entity.index] = statement
        let arguments = [remote.databaseValue, entity.plan.name.databaseValue]
        guard case .string(let deleted)? = try statement.firstValue(arguments)?.storage else { return nil }
        return Cell(text: arena.copy(deleted))
    }

    /// The key that was reserved by a link. If the record has its own key, the links are redirected.
    private func reservedKey(of remote: Cell, in entity: MergeEntity, given: Cell) throws -> Cell? {
        guard hasReserved else { return nil }
        let arguments = [entity.plan.name.databaseValue, remote.databaseValue]
        guard case .string(let reserved)? = try reserved.get().find.firstValue(arguments)?.storage else { return nil }
        guard given.kind == .text else { return Cell(text: arena.copy(reserved)) }
        let own = String(decoding: given.bytes, as: UTF8.self)
        if own != reserved {
            let pair = RecordUnion.Pair(
                plan: entity.plan, record: RecordKey(reserved.databaseValue), other: RecordKey(own.databaseValue))
            guard try union.unite(pair, body: { _ = try union.move($0) }) != nil else {
                return Cell(text: arena.copy(reserved))
            }
        }
        try self.reserved.get().delete.run(arguments)
        return Cell(text: arena.copy(own))
    }

    /// Reserves the key of a record that is deleted while something still refers to it.
    func keep(_ local: Cell, of remote: Cell, entity: MergeEntity) throws {
        try reserve(remote, local: local, of: entity)
    }

    private func reserve(_ remote: Cell, local: Cell, of entity: MergeEntity) throws {
        hasReserved = true
        try reserved.get().insert.run([entity.plan.name.databaseValue, remote.databaseValue, local.databaseValue])
    }

    private lazy var reserved = Result { try ReservedIdentities.Statements(database) }
}
