import GRDB
import LockstepTables

/// The pending changes of one entity's records during a merge: the rows of the outbox, and the values that the records
/// had before.
final class EntityEdits {
    let entity: MergeEntity
    let policy: ConflictPolicy
    let transaction: MergeTransaction
    let units: ColumnUnits
    private let isTracked: Bool
    /// The links that are sent with these records.
    let links: [OutboxLinkRoute]
    private(set) lazy var statements = Result { [transaction, entity, links] in
        try EditStatements(entity.plan, links: links, in: transaction.database, unclaimed: unclaimed)
    }
    /// The names under which changes of the table's records are pending that no entity claims (Rules.md, P16).
    private let unclaimed: [String]
    /// The pending changes that were looked up, by the record's key.
    private var known: [KeyFingerprint: PendingEdit?] = [:]
    /// Whether all pending changes are in `known`.
    private var knowsAll = false
    /// Records with pending changes that were merged, and that may no longer differ.
    private(set) var merged: [KeyFingerprint: RecordKey] = [:]
    /// The bases of records that stay deleted, until the batch is written.
    private var deferredBases: [[Cell]] = []

    /// Up to this many records are looked up one by one; for more, all rows of the entity are read.
    private static let maximumLookups = 64

    /// Returns `nil` if nothing is pending.
    init?(
        _ entity: MergeEntity, policy: ConflictPolicy, links: [OutboxLinkRoute], unclaimed: [String],
        in transaction: MergeTransaction
    ) throws {
        self.unclaimed = unclaimed
        guard try OutboxTable.hasRows(of: entity.plan, in: transaction.database) || !unclaimed.isEmpty else {
            return nil
        }
        self.entity = entity
        self.policy = policy
        self.transaction = transaction
        self.links = links.filter { $0.owner === entity.plan }
        units = ColumnUnits(entity.plan)
        isTracked = entity.plan.isTracked
    }

    var kind: ConflictPolicy.Kind { policy.kind }

    // MARK: The outbox

    /// Prepares for this many lookups.
    func prepare(for count: Int) throws {
        guard !knowsAll, unclaimed.isEmpty, count > Self.maximumLookups, entity.keyColumn >= 0 else { return }
        let statement = try EditStatements.all(transaction.database)
        statement.bind([nameCell])
        defer { statement.reset() }
        while try statement.step() {
            let fingerprint = statement.cell(0).fingerprint
            if known[fingerprint] == nil { known[fingerprint] = .some(PendingEdit(statement, from: 1)) }
        }
        knowsAll = true
    }

    /// The pending change of a record; `nil` if there is none.
    func pending(of key: [Cell]) throws -> PendingEdit? { try pending(key.fingerprint) { key } }

    func pending(_ fingerprint: KeyFingerprint, key: () -> [Cell]) throws -> PendingEdit? {
        if let known = known[fingerprint] { return known }
        if knowsAll { return nil }
        var pending: PendingEdit?
        if isTracked {
            let find = try statements.get().find
            find.bind([nameCell] + key())
            defer { find.reset() }
            pending = try find.step() ? PendingEdit(find, from: 0) : nil
        }
        if pending == nil { pending = try unclaimed(key) }
        known[fingerprint] = .some(pending)
        return pending
    }

    /// Whether the record has a pending change that no entity claims. Such a record is never deleted.
    func isUnclaimed(_ key: [Cell]) throws -> Bool { try unclaimed { key } != nil }

    private func unclaimed(_ key: () -> [Cell]) throws -> PendingEdit? {
        guard let find = try statements.get().findUnclaimed else { return nil }
        find.bind([nameCell] + key())
        defer { find.reset() }
        return try find.step() ? PendingEdit(find, from: 0, isUnclaimed: true) : nil
    }

    /// The server has the record: a pending creation becomes an update.
    func becomeUpdate(_ key: [Cell]) throws {
        try write(statements.get().dropFormer, key: key)
        try write(statements.get().dropUnconfirmed, key: key)
        let marks = try pending(of: key)?.marks.subtracting(.deletion) ?? []
        try write(statements.get().becomeUpdate, key: key)
        known[key.fingerprint] = .some(PendingEdit(change: .update, isSent: false, marks: marks))
    }

    /// The server no longer has the record: it is to be created again there.
    ///
    /// Its base is kept: if others create the record again as well, only local edits are compared with it.
    func becomeCreate(_ key: [Cell]) throws {
        try write(statements.get().dropUnconfirmed, key: key)
        try write(statements.get().becomeCreate, key: key)
        known[key.fingerprint] = .some(PendingEdit(change: .create, isSent: false, marks: []))
    }

    /// Removes the pending change.
    func removePending(_ key: [Cell]) throws {
        let pending = try pending(of: key)
        // An update has former values only if the record has left its owner.
        if pending?.change != .update || pending?.marks.contains(.left) ?? true {
            try write(statements.get().dropFormer, key: key)
        }
        try write(statements.get().dropUnconfirmed, key: key)
        try write(statements.get().drop, key: key)
        try removeBase(key)
        for statement in try statements.get().dropLinks { try write(statement, key: key) }
        known[key.fingerprint] = try .some(unclaimed { key })
    }

    private func write(_ statement: RawStatement, key: [Cell]) throws {
        statement.bind([nameCell] + key)
        try statement.execute()
    }

    private lazy var nameCell = Cell(text: transaction.arena.copy(entity.plan.name))

    // MARK: The base

    /// The values of the record before the first unconfirmed change; `nil` if it has no base.
    func base(of key: [Cell]) throws -> [Cell]? {
        let find = try statements.get().findBase
        find.bind(key)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return entity.plan.columns.indices.map { find.cell($0).copied(to: transaction.staging.arena) }
    }

    /// The base of a record that is to be created on the server, as far as the server knows it.
    ///
    /// The sent values are the base until the response is received. If the creation restores a record that the server
    /// had deleted, the server's record shows whether the request has arrived: if it has none of the values that were
    /// new in the request, it is another record, which others have created again or which existed before.
    ///
    /// - Parameter remote: The server's values of the record.
    func base(ofCreation key: [Cell], sent: [Int: [Cell]], remote: [Cell?]) throws -> [Cell]? {
        guard var base = try base(of: key) else { return base(ofRefused: sent, remote: remote) }
        let former = try former(of: key) ?? []
        let hasArrived = former.contains { column, _ in
            remote[column].map { isSame(column, left: $0, right: base[column]) } ?? false
        }
        if !hasArrived { for (column, cell) in former { base[column] = cell } }
        return base
    }

    /// Returns the values in which a record that the server had differs from those that were sent to create it again;
    /// `nil` if it is new there.
    func former(of key: [Cell]) throws -> [(column: Int, cell: Cell)]? {
        let find = try statements.get().findFormer
        find.bind([nameCell] + key)
        defer { find.reset() }
        var former: [(column: Int, cell: Cell)]?
        while try find.step() {
            former = former ?? []
            let name = String.fromDatabaseValue(find.cell(0).databaseValue)
            guard let column = entity.plan.columns.firstIndex(where: { $0.name == name }) else { continue }
            former?.append((column, find.cell(1).copied(to: transaction.staging.arena)))
        }
        return former
    }

    /// The base of a creation that the server has rejected: a copy of an earlier request may have arrived nevertheless
    /// (Rules.md, P10).
    private func base(ofRefused sent: [Int: [Cell]], remote: [Cell?]) -> [Cell]? {
        guard entity.plan.hasOwnIdentity, sent.count == entity.plan.columns.count else { return nil }
        return entity.plan.columns.indices.map { column in
            let values = sent[column] ?? []
            guard let reported = remote[column], values.contains(where: { isSame(column, left: reported, right: $0) })
            else {
                return values.first ?? .null
            }
            return reported
        }
    }

    /// The base of a changed record, as far as the server knows it: a value that was sent, and that the server has, was
    /// not changed by others.
    func base(ofUpdate key: [Cell], sent: [Int: [Cell]], remote: [Cell?]) throws -> [Cell]? {
        guard var base = try base(of: key) else { return nil }
        for (column, sent) in sent {
            guard let reported = remote[column], sent.contains(where: { isSame(column, left: reported, right: $0) })
            else {
                continue
            }
            base[column] = reported
        }
        return base
    }

    /// The values of a change that were sent, and that the server may have.
    func unconfirmed(of key: [Cell]) throws -> [Int: [Cell]] {
        guard let find = try statements.get().findUnconfirmed else { return [:] }
        find.bind([nameCell] + key)
        defer { find.reset() }
        var values: [Int: [Cell]] = [:]
        while try find.step() {
            let name = String.fromDatabaseValue(find.cell(0).databaseValue)
            guard let column = entity.plan.columns.firstIndex(where: { $0.name == name }) else { continue }
            values[column, default: []].append(find.cell(1).copied(to: transaction.staging.arena))
        }
        return values
    }

    /// Removes unconfirmed values: the server has reported its values of these columns.
    func clearUnconfirmed(_ key: [Cell], columns: [Int]) throws {
        if let pending = try pending(of: key), pending.marks.contains(.deletion) {
            try write(statements.get().clearDeletion, key: key)
            known[key.fingerprint] = .some(
                PendingEdit(
                    change: pending.change, isSent: pending.isSent, marks: pending.marks.subtracting(.deletion)))
        }
        guard !columns.isEmpty else { return }
        let names = columns.map { Cell(text: transaction.arena.copy(entity.plan.columns[$0].name)) }
        for name in names { try write(statements.get().dropUnconfirmedColumn, key: key + [name]) }
    }

    /// Keeps the base of a record that stays deleted, to be written with the other outcomes of the batch.
    func deferBase(_ cells: [Cell]) { deferredBases.append(cells) }

    func writeDeferredBases() throws {
        for cells in deferredBases { try writeBase(cells) }
        deferredBases = []
    }

    func writeBase(_ cells: [Cell]) throws {
        let statement = try statements.get().writeBase
        statement.bind(cells)
        try statement.execute()
    }

    func removeBase(_ key: [Cell]) throws {
        let statement = try statements.get().dropBase
        statement.bind(key)
        try statement.execute()
    }

    // MARK: Changes that may be confirmed

    /// Registers that the server's values of a record with a pending change were merged.
    func recordMerged(_ key: [Cell]) {
        merged[key.fingerprint] = RecordKey(key.map(\.databaseValue))
    }

    /// Whether two values of a column are the same in JSON. What was sent comes back in that form.
    func isSame(_ column: Int, left: Cell, right: Cell) -> Bool {
        if left.isIdentical(to: right) { return true }
        if left.isValue != right.isValue { return false }
        return entity.plan.columns[column].isSameInJSON(left.databaseValue, right.databaseValue)
    }
}

/// One row of the outbox.
struct PendingEdit {
    let change: OutboxChange
    /// For a creation: whether it was sent, and its response has not been received.
    let isSent: Bool
    /// The changes besides columns and links, which are recorded nowhere else.
    let marks: OutboxMarks
    /// Whether no entity claims it (Rules.md, P16): it overrides the server's values whatever the policy, and is not
    /// modified.
    let isUnclaimed: Bool

    init(change: OutboxChange, isSent: Bool, marks: OutboxMarks) {
        self.change = change
        self.isSent = isSent
        self.marks = marks
        isUnclaimed = false
    }

    fileprivate init(_ statement: RawStatement, from column: Int, isUnclaimed: Bool = false) {
        self.isUnclaimed = isUnclaimed
        change = OutboxChange(rawValue: Int(statement.cell(column).integer)) ?? .update
        isSent = statement.cell(column + 1).integer != 0
        marks = OutboxMarks(rawValue: Int(statement.cell(column + 2).integer))
    }
}
