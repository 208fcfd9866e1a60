import GRDB

/// Notes what each transaction changes, whoever writes it through the store's connection, and tells every context.
///
/// Changed and deleted rows are noted by temporary triggers, which see everything that happens to a row: statements run
/// through GRDB, our own, those of other triggers, foreign keys' actions, and what REPLACE deletes. Inserted rows
/// would cost most that way, and nobody needs their keys: the tables are noted, from GRDB's statements by themselves,
/// from our own ones by ``noteInsertions(into:)``.
///
/// Unchecked, because all that is mutable belongs to the writer's connection, which does one thing at a time: it is
/// only touched in the connection's hooks and functions, and in closures that hold the connection.
final class ChangeTracker: @unchecked Sendable {
    /// Where changes are sent when they are committed.
    let hub: ChangeHub

    let entities: [EntityPlan]
    private let indexes: [String: Int]
    private let planIndexes: [ObjectIdentifier: Int]
    private let joinTables: Set<String>

    /// By the places of `entities`.
    private var noted: [TableChange]
    private var notedJoinTables: Set<String> = []
    /// What a context's save has set off beyond its own statements.
    private var effects: [TableChange]
    /// The context whose save this transaction is.
    private var origin: ContextID?
    /// The row that the save's next statement is to change.
    private var expected: (table: Int, key: RecordKey)?
    /// Whether statements are being told of that were noted already.
    private var isTelling = false
    /// Whether the transaction has made tables or changed their definitions: the triggers may be gone with those.
    private var hasSchemaChanges = false
    /// The tables that the database's triggers insert into, or whose links they write, by what sets them off.
    private var tablesInReach: [RowWrite: Set<String>] = [:]
    /// The tables that are being found to be in reach.
    private var foundInReach: Set<String>?

    init(entities: [EntityPlan], hub: ChangeHub) {
        self.hub = hub
        self.entities = entities
        indexes = Dictionary(
            entities.enumerated().map { ($1.table, $0) }, uniquingKeysWith: { first, _ in first })
        planIndexes = Dictionary(
            entities.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        var joinTables: Set<String> = []
        for relationship in entities.lazy.flatMap(\.relationships) {
            if case .manyToMany(let join) = relationship.kind { joinTables.insert(join.table) }
        }
        self.joinTables = joinTables
        noted = Array(repeating: TableChange(), count: entities.count)
        effects = noted
    }

    /// Whether a table holds links of a many to many.
    func isJoinTable(_ table: String) -> Bool { joinTables.contains(table) }

    /// The tables that the transaction has written so far, whoever did.
    var changedTables: Set<String> {
        var tables = notedJoinTables
        for (index, plan) in entities.enumerated() where !noted[index].isEmpty { tables.insert(plan.table) }
        return tables
    }

    /// Whether loaded relationships may depend on what is in a table.
    func isLinked(_ table: String) -> Bool {
        joinTables.contains(table) || indexes[table].map { !entities[$0].relationships.isEmpty } ?? false
    }

    // MARK: Noting

    /// Notes a row that a trigger saw.
    func note(_ table: Int, _ key: RecordKey, isDeleted: Bool) {
        guard noted.indices.contains(table) else { return }
        if isDeleted { noted[table].noteDeletion(of: key) } else { noted[table].noteUpdate(of: key) }
        guard origin != nil else { return }
        if let expected, expected.table == table, expected.key == key { return self.expected = nil }
        if isDeleted { effects[table].noteDeletion(of: key) } else { effects[table].noteUpdate(of: key) }
    }

    /// Notes that rows are inserted into a table, or that links of a many to many are written, by statements that GRDB
    /// does not run.
    func noteInsertions(into table: String) {
        if let index = indexes[table] {
            noted[index].hasInserts = true
        } else if joinTables.contains(table) {
            notedJoinTables.insert(table)
        }
    }

    /// Notes what the database's triggers may insert when rows are written by statements that GRDB does not run.
    ///
    /// GRDB tells it, of a statement that changes nothing; asked once for each.
    func noteTriggers(of write: RowWrite, in database: Database) throws {
        if tablesInReach[write] == nil {
            foundInReach = []
            defer { foundInReach = nil }
            try database.execute(sql: write.statementWithoutEffect(try columns(of: write.table, in: database)))
            tablesInReach[write] = foundInReach?.subtracting([write.table])
        }
        for other in tablesInReach[write] ?? [] { noteInsertions(into: other) }
    }

    private func columns(of table: String, in database: Database) throws -> [String] {
        if let index = indexes[table] { return entities[index].columns.map(\.name) }
        return try database.makeStatement(sql: "SELECT * FROM \(SQLName.quoted(table))").columnNames
    }

    /// Says that the transaction is the save of a context: what that wrote itself, it knows.
    func beginSave(of context: ContextID) {
        origin = context
        effects = Array(repeating: TableChange(), count: entities.count)
    }

    /// Runs a statement of a context's save that writes one row.
    func expecting<Value>(_ key: RecordKey, of plan: EntityPlan, _ body: () throws -> Value) rethrows -> Value {
        expected = planIndexes[ObjectIdentifier(plan)].map { ($0, key) }
        defer { expected = nil }
        return try body()
    }

    /// Tells GRDB of changes that were noted already.
    func telling(_ body: () throws -> Void) rethrows {
        isTelling = true
        defer { isTelling = false }
        try body()
    }

    // MARK: Ends of transactions

    /// Forgets what was noted: the transaction has been rolled back.
    func abandon() {
        clear()
        hub.withdraw()
    }

    private func takeChange() -> Commit {
        var commit = Commit(origin: origin)
        for (index, plan) in entities.enumerated() {
            if !noted[index].isEmpty { commit.change.tables[plan.table] = noted[index] }
            if origin != nil, !effects[index].isEmpty { commit.effects.tables[plan.table] = effects[index] }
        }
        for table in notedJoinTables { commit.change.tables[table] = TableChange(isUnbounded: true) }
        clear()
        return commit
    }

    private func clear() {
        for index in noted.indices {
            if !noted[index].isEmpty { noted[index] = TableChange() }
            if !effects[index].isEmpty { effects[index] = TableChange() }
        }
        notedJoinTables = []
        origin = nil
        expected = nil
        hasSchemaChanges = false
    }

    /// Tables that were made again have lost their triggers: they get them again, and may have other rows.
    private func followSchema(in database: Database) {
        hasSchemaChanges = false
        tablesInReach = [:]
        for index in reinstall(in: database) {
            noted[index] = TableChange(hasInserts: true, isUnbounded: true)
        }
    }
}

extension ChangeTracker: TransactionObserver {
    /// GRDB asks this before each of its statements, with what that can do, triggers included. That is all we want to
    /// know: being told of each row would make every statement slower.
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        guard !isTelling else { return false }
        let table = eventKind.table
        let isInsertion = if case .insert = eventKind { true } else { false }
        if foundInReach != nil {
            if isInsertion || joinTables.contains(table) { foundInReach?.insert(table) }
        } else if table == "sqlite_master" {
            hasSchemaChanges = true
        } else if isInsertion || joinTables.contains(table) {
            noteInsertions(into: table)
        }
        return false
    }

    func databaseDidChange(with event: DatabaseEvent) {}

    /// SQLite calls it before anyone can see the commit.
    func databaseWillCommit() { hub.announce() }

    func databaseDidCommit(_ database: Database) {
        if hasSchemaChanges { followSchema(in: database) }
        let commit = takeChange()
        if commit.change.isEmpty { hub.withdraw() } else { hub.post(commit) }
    }

    func databaseDidRollback(_ database: Database) { abandon() }
}

extension DatabaseEventKind {
    fileprivate var table: String {
        switch self {
        case .insert(let table), .delete(let table), .update(let table, _): table
        }
    }
}
