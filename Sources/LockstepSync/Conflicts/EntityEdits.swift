import GRDB
import LockstepStore

/// What is pending of one entity's records, as one merge sees it: the rows of the outbox, and what the records were
/// before.
final class EntityEdits {
    let entity: MergeEntity
    /// `nil` where the server's values are taken.
    let policy: ConflictPolicy?
    unowned let local: LocalEdits
    unowned let run: MergeRun
    let units: ColumnUnits
    /// The links that go to the server with these records.
    let links: [OutboxLink]
    private(set) lazy var statements = Result { [run, entity, links] in
        try EditStatements(entity.plan, links, run.database)
    }
    /// What was asked for, by the record's key.
    private var known: [KeyFingerprint: PendingEdit?] = [:]
    /// Whether what is not known is not there.
    private var knowsAll = false
    /// What was merged beside a pending change, and may differ no more.
    private(set) var merged: [KeyFingerprint: RecordKey] = [:]

    /// So many records are looked up one by one, more by reading all of the entity's rows.
    private static let mostLookedUp = 64

    /// `nil` where nothing is pending.
    init?(_ entity: MergeEntity, _ policy: ConflictPolicy?, _ local: LocalEdits, _ run: MergeRun) throws {
        let sql = "SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = ? LIMIT 1"
        let first = try RawStatement(kept: sql, run.database).firstValue([entity.plan.name.databaseValue])
        guard first != nil else { return nil }
        self.entity = entity
        self.policy = policy
        self.local = local
        self.run = run
        links = local.links.filter { $0.owner === entity.plan }
        units = ColumnUnits(entity.plan)
    }

    var kind: ConflictPolicy.Kind? { policy?.kind }

    // MARK: The outbox

    /// Prepares for so many questions.
    func prepare(for count: Int) throws {
        guard !knowsAll, count > Self.mostLookedUp, entity.keyColumn >= 0 else { return }
        let sql = "SELECT record, change, idempotency_key IS NOT NULL FROM \(OutboxTables.outbox) WHERE entity = ?"
        let statement = try RawStatement(sql, run.database)
        statement.bind([nameCell])
        defer { statement.reset() }
        while try statement.step() {
            let fingerprint = statement.cell(0).fingerprint
            if known[fingerprint] == nil { known[fingerprint] = .some(PendingEdit(statement, from: 1)) }
        }
        knowsAll = true
    }

    /// What is pending of a record; `nil` where nothing is.
    func pending(of key: [Cell]) throws -> PendingEdit? { try pending(key.fingerprint) { key } }

    func pending(_ fingerprint: KeyFingerprint, _ key: () -> [Cell]) throws -> PendingEdit? {
        if let known = known[fingerprint] { return known }
        if knowsAll { return nil }
        let find = try statements.get().find
        find.bind([nameCell] + key())
        defer { find.reset() }
        let pending = try find.step() ? PendingEdit(find, from: 0) : nil
        known[fingerprint] = .some(pending)
        return pending
    }

    /// The server has the record: what was made here is a change of that now.
    func becomeUpdate(_ key: [Cell]) throws {
        try write(statements.get().becomeUpdate, key)
        known[key.fingerprint] = .some(PendingEdit(change: .update, isSent: false))
    }

    /// The server has the record no more: it is to be made there again.
    ///
    /// What it was before stays known: where others make the record again, too, only what was edited here counts against
    /// that.
    func becomeCreate(_ key: [Cell]) throws {
        try write(statements.get().becomeCreate, key)
        known[key.fingerprint] = .some(PendingEdit(change: .create, isSent: false))
    }

    /// Nothing is pending any more.
    func drop(_ key: [Cell]) throws {
        try write(statements.get().drop, key)
        try dropBase(key)
        for statement in try statements.get().dropLinks { try write(statement, key) }
        known[key.fingerprint] = .some(nil)
    }

    private func write(_ statement: RawStatement, _ key: [Cell]) throws {
        statement.bind([nameCell] + key)
        try statement.execute()
    }

    private lazy var nameCell = Cell(text: run.scopeArena.copy(entity.plan.name))

    // MARK: The base

    /// What the record was before the first change that is not confirmed; `nil` where there is nothing.
    func base(of key: [Cell]) throws -> [Cell]? {
        let find = try statements.get().findBase
        find.bind(key)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return entity.plan.columns.indices.map { find.cell($0).copied(to: run.staging.arena) }
    }

    func writeBase(_ cells: [Cell]) throws {
        let statement = try statements.get().writeBase
        statement.bind(cells)
        try statement.execute()
    }

    func dropBase(_ key: [Cell]) throws {
        let statement = try statements.get().dropBase
        statement.bind(key)
        try statement.execute()
    }

    // MARK: What may be over

    /// Takes note that the server's side of a pending change was merged.
    func noteMerged(_ key: [Cell]) {
        merged[key.fingerprint] = RecordKey(key.map(\.databaseValue))
    }

    func isSame(_ column: Int, _ left: Cell, _ right: Cell) -> Bool {
        if left.isIdentical(to: right) { return true }
        if left.isValue != right.isValue { return false }
        return entity.plan.columns[column].type.isSameValue(left.databaseValue, right.databaseValue)
    }
}

/// One row of the outbox.
struct PendingEdit {
    let change: OutboxChange
    /// Of a creation: whether it was sent, and its answer has not come.
    let isSent: Bool

    init(change: OutboxChange, isSent: Bool) {
        self.change = change
        self.isSent = isSent
    }

    fileprivate init(_ statement: RawStatement, from column: Int) {
        change = OutboxChange(rawValue: Int(statement.cell(column).integer)) ?? .update
        isSent = statement.cell(column + 1).integer != 0
    }
}

/// The statements by which a merge reads and writes what is pending of one entity's records. Those of the outbox take
/// the entity's name, then the key.
final class EditStatements {
    let find: RawStatement
    let becomeUpdate: RawStatement
    let becomeCreate: RawStatement
    let drop: RawStatement
    let findBase: RawStatement
    let writeBase: RawStatement
    let dropBase: RawStatement
    /// One for each relationship whose links go to the server with the records.
    let dropLinks: [RawStatement]

    init(_ plan: EntityPlan, _ links: [OutboxLink], _ database: Database) throws {
        let outbox = OutboxTables.outbox
        let base = SQLName.quoted(OutboxTables.base(of: plan))
        let columns = plan.columns.map { SQLName.quoted($0.name) }
        let record = plan.outboxRecordSQL(of: plan.keyColumns.indices.map { "?\($0 + 2)" })
        let isRow = "entity = ?1 AND record = \(record)"
        // The answer to what was sent before says nothing of what is sent next.
        let anew = """
            idempotency_key = NULL, sent_body = NULL, attempts = 0, retry_at = NULL, error = NULL, \
            parked_status = NULL, parked_body = NULL
            """
        find = try RawStatement(
            kept: "SELECT change, idempotency_key IS NOT NULL FROM \(outbox) WHERE \(isRow)", database)
        becomeUpdate = try RawStatement(
            kept: "UPDATE \(outbox) SET change = \(OutboxChange.update.rawValue), \(anew) WHERE \(isRow)", database)
        becomeCreate = try RawStatement(
            kept: "UPDATE \(outbox) SET change = \(OutboxChange.create.rawValue), version = version + 1, \(anew) "
                + "WHERE \(isRow)", database)
        drop = try RawStatement(kept: "DELETE FROM \(outbox) WHERE \(isRow)", database)
        findBase = try RawStatement(
            kept: "SELECT \(columns.joined(separator: ", ")) FROM \(base) WHERE \(plan.keyCondition)", database)
        writeBase = try RawStatement(
            kept: "INSERT OR REPLACE INTO \(base) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))", database)
        dropBase = try RawStatement(kept: "DELETE FROM \(base) WHERE \(plan.keyCondition)", database)
        dropLinks = try links.filter { !$0.isOrderOnly }.map { link in
            let name = "'\(link.name.replacing("'", with: "''"))'"
            return try RawStatement(
                kept: "DELETE FROM \(OutboxTables.links) WHERE join_table = \(name) AND source = \(record)", database)
        }
    }
}
