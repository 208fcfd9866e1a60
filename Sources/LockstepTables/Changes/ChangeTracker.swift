import GRDB

/// Tracks what each transaction changes through the store's connection, and notifies every context.
///
/// Updated and deleted rows are tracked by temporary triggers, which see everything that happens to a row: statements
/// run through GRDB, internal ones, those of other triggers, actions of foreign keys, and rows deleted by REPLACE.
/// Inserted rows would be the most expensive, and their keys are not needed, so only their tables are recorded:
/// automatically for GRDB's statements, by ``noteInsertions(into:)`` for internal ones.
///
/// It is unchecked because all mutable state belongs to the writer's connection, which does one thing at a time: it is
/// only accessed in the connection's hooks and functions, and in closures that have the connection.
package final class ChangeTracker: @unchecked Sendable {
    /// Receives changes when they are committed.
    let hub: ChangeHub

    let plans: SchemaPlan
    private let indexes: [String: Int]
    private let planIndexes: [ObjectIdentifier: Int]
    private let joinTables: Set<String>

    /// By the indexes of `plans`.
    private var noted: [TableChange]
    private var notedJoinTables: Set<String> = []
    /// The effects of a context's save beyond its own statements.
    private var effects: [TableChange]
    /// The context whose save this transaction is.
    private var origin: ContextID?
    /// The row that the save's next statement is expected to change.
    private var expected: (table: Int, key: RecordKey)?
    /// Whether GRDB is being notified of statements that were recorded already.
    private var isNotifying = false
    /// Whether the transaction has created tables or changed their definitions, which may have dropped the triggers.
    private var hasSchemaChanges = false
    /// The tables that the database's triggers insert into, or whose links they write, by the write that fires them.
    private var tablesInReach: [RowWrite: Set<String>] = [:]
    /// The tables that the current search has found.
    private var foundInReach: Set<String>?

    package init(plans: SchemaPlan, hub: ChangeHub) {
        self.hub = hub
        self.plans = plans
        indexes = Dictionary(
            plans.enumerated().map { ($1.table, $0) }, uniquingKeysWith: { first, _ in first })
        planIndexes = Dictionary(
            plans.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        var joinTables: Set<String> = []
        for relationship in plans.lazy.flatMap(\.relationships) {
            if case .manyToMany(let join) = relationship.kind { joinTables.insert(join.table) }
        }
        self.joinTables = joinTables
        noted = Array(repeating: TableChange(), count: plans.count)
        effects = noted
    }

    /// Whether a table contains the links of a many-to-many relationship.
    func isJoinTable(_ table: String) -> Bool { joinTables.contains(table) }

    /// The tables that the transaction has written so far.
    var changedTables: Set<String> {
        var tables = notedJoinTables
        for (index, plan) in plans.enumerated() where !noted[index].isEmpty { tables.insert(plan.table) }
        return tables
    }

    /// Whether loaded relationships may depend on the contents of a table.
    package func isLinked(_ table: String) -> Bool {
        joinTables.contains(table) || indexes[table].map { !plans[$0].relationships.isEmpty } ?? false
    }

    /// The index of an entity that is given as such, or by its table.
    func index(of table: DatabaseValue) -> Int? {
        switch table.storage {
        case .int64(let index): Int(exactly: index)
        case .string(let name): indexes[name]
        case .null, .double, .blob: nil
        }
    }

    // MARK: Recording

    /// Records a row that a trigger reported.
    func note(_ table: Int, key: RecordKey, isDeleted: Bool) {
        guard noted.indices.contains(table) else { return }
        if isDeleted { noted[table].noteDeletion(of: key) } else { noted[table].noteUpdate(of: key) }
        guard origin != nil else { return }
        if let expected, expected.table == table, expected.key == key { return self.expected = nil }
        if isDeleted { effects[table].noteDeletion(of: key) } else { effects[table].noteUpdate(of: key) }
    }

    /// Records, for other contexts, that a record is sent with something that is stored elsewhere, such as a link.
    package func noteSending(of key: RecordKey, plan: EntityPlan) {
        if let index = planIndexes[ObjectIdentifier(plan)] { noted[index].noteUpdate(of: key) }
    }

    /// Records that statements which GRDB does not run insert rows into a table, or write links of a many-to-many
    /// relationship.
    package func noteInsertions(into table: String) {
        if let index = indexes[table] {
            noted[index].hasInserts = true
        } else if joinTables.contains(table) {
            notedJoinTables.insert(table)
        }
    }

    /// Records what the database's triggers may insert when statements that GRDB does not run write rows.
    ///
    /// GRDB reports this for a statement without effect, which is prepared once for each kind of write.
    package func noteTriggers(of write: RowWrite, in database: Database) throws {
        if tablesInReach[write] == nil {
            foundInReach = []
            defer { foundInReach = nil }
            try database.execute(sql: write.statementWithoutEffect(try columns(of: write.table, in: database)))
            tablesInReach[write] = foundInReach?.subtracting([write.table])
        }
        for other in tablesInReach[write] ?? [] { noteInsertions(into: other) }
    }

    private func columns(of table: String, in database: Database) throws -> [String] {
        if let index = indexes[table] { return plans[index].columns.map(\.name) }
        return try database.makeStatement(sql: "SELECT * FROM \(SQLName.quoted(table))").columnNames
    }

    /// Marks the transaction as the save of a context, which knows its own changes.
    package func beginSave(of context: ContextID) {
        origin = context
        effects = Array(repeating: TableChange(), count: plans.count)
    }

    /// Runs a statement of a context's save that writes one row.
    package func expecting(_ key: RecordKey, of plan: EntityPlan, body: () throws -> Int) rethrows -> Int {
        expected = planIndexes[ObjectIdentifier(plan)].map { ($0, key) }
        defer { expected = nil }
        return try body()
    }

    /// Notifies GRDB of changes that were recorded already.
    package func notifying(_ body: () throws -> Void) rethrows {
        isNotifying = true
        defer { isNotifying = false }
        try body()
    }

    // MARK: Ends of transactions

    /// Discards what was recorded, because the transaction was rolled back.
    package func abandon() {
        clear()
        hub.withdraw()
    }

    private func takeChange() -> Commit {
        var commit = Commit(origin: origin)
        for (index, plan) in plans.enumerated() {
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

    /// Tables that were created again have lost their triggers. Restores them; the tables may have other rows.
    private func followSchema(in database: Database) {
        hasSchemaChanges = false
        tablesInReach = [:]
        for index in reinstall(in: database) {
            noted[index] = TableChange(hasInserts: true, isUnbounded: true)
        }
    }
}

extension ChangeTracker: TransactionObserver {
    /// GRDB calls this before each of its statements, with what the statement can do, including triggers. That is
    /// sufficient: events for each row would make every statement slower.
    package func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        guard !isNotifying else { return false }
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

    package func databaseDidChange(with event: DatabaseEvent) {}

    /// SQLite calls this before the commit becomes visible.
    package func databaseWillCommit() { hub.announce() }

    package func databaseDidCommit(_ database: Database) {
        if hasSchemaChanges { followSchema(in: database) }
        let commit = takeChange()
        if commit.change.isEmpty { hub.withdraw() } else { hub.post(commit) }
    }

    package func databaseDidRollback(_ database: Database) { abandon() }
}

extension DatabaseEventKind {
    fileprivate var table: String {
        switch self {
        case .insert(let table), .delete(let table), .update(let table, _): table
        }
    }
}
