import GRDB
internal import GRDBSQLite

/// One save: writes a context's changes through one connection, inside of its transaction. It changes nothing in the
/// context, so that a failed save leaves that as it was.
///
/// The order is such that no trigger of a delete rule meets a link that the context has already changed, and a unique
/// value is given up before another record takes it:
/// 1. foreign keys that are cleared, or point at a new record with the key of a deleted one; 2. deletes that no rule
/// follows; 3. foreign keys that are set; 4. the other deletes, those that were reached last first; 5. all other changes;
/// 6. new records, in the order they were made; 7. links of many to many.
final class SaveRun {
    struct Outcome {
        /// Changed objects whose rows are gone, and whose changes the policy drops.
        var gone: [ManagedObject] = []
        /// Whether records that were deleted elsewhere were inserted again.
        var hasRestored = false
    }

    private let context: Context
    private let tracker: ChangeTracker
    private var tables: Set<String> = []
    /// What inserts the records of the entity that came last: mostly many of one come one after the other.
    private var insertion: (plan: EntityPlan, statement: Statement)?
    private var outcome = Outcome()
    private var latestWrite: RowWrite?
    /// The foreign keys that were written already, by object.
    private var movedColumns: [ObjectIdentifier: [Int]] = [:]
    /// The keys of the new records.
    private lazy var insertedKeys: Set<InsertedKey> = Set(
        context.inserted.lazy.filter { $0.recordState == .inserted }.compactMap { object in
            object.records.map { InsertedKey(records: ObjectIdentifier($0), key: object.recordKey) }
        })

    init(_ context: Context) {
        self.context = context
        tracker = context.base.tracker
    }

    func save(_ database: Database) throws -> Outcome {
        tracker.beginSave(of: context.inbox.owner)
        // The table's own index, those of its links and the outbox's: a new record meets a page of each.
        let pages = PageCache(database)
        defer { try? pages.restore() }
        try pages.enlarge(for: context.inserted.count + context.changed.count + context.deleted.count)
        let changed = context.changed.filter { $0.recordState == .changed }
        let deletes = context.deleted.reversed()
        let moves = changed.compactMap { LinkMove($0, isReplaced: isReplaced) }
        try moves.forEach { try clear($0, database) }
        let denied = try deleteWhatMay(deletes.filter { !Self.isFollowedByRules($0) }, database).denied
        try moves.forEach { try set($0, database) }
        try delete(denied + deletes.filter(Self.isFollowedByRules), database)
        try update(changed, database)
        let inserted = context.inserted
        try inserted.forEachBorrowed { object in
            if object.recordState == .inserted { try insert(object, database) }
        }
        try JoinWriter(context, self).write(database)

        try tracker.telling {
            for table in tables { try database.notifyChanges(in: Table(SQLName.forGRDB(table))) }
            if !tables.isEmpty { try database.notifyChanges(in: Table(OutboxTables.outbox)) }
        }
        return outcome
    }

    // MARK: Records

    private func insert(_ object: ManagedObject, _ database: Database) throws {
        let plan = object.plan
        let statement = try insertion(into: plan, database)
        var writer = RowWriter(statement.sqliteStatement, plan: plan)
        for column in plan.columns.indices { writer.take(column, of: object) }
        try check(writer, object, "inserting")
        try step(statement, database, object, "inserting", table: plan.table)
    }

    private func insertion(into plan: EntityPlan, _ database: Database) throws -> Statement {
        if let insertion, insertion.plan === plan { return insertion.statement }
        let statement = try database.cachedStatement(sql: plan.insertSQL)
        insertion = (plan, statement)
        tracker.noteInsertions(into: plan.table)
        return statement
    }

    func update(_ object: ManagedObject, _ database: Database) throws {
        let moved = movedColumns[ObjectIdentifier(object)] ?? []
        let columns = object.plan.columns.indices.filter { object.changedColumns.contains($0) && !moved.contains($0) }
        try update(object, columns, database)
    }

    private func update(_ object: ManagedObject, _ columns: [Int], _ database: Database) throws {
        guard !columns.isEmpty else { return }
        let plan = object.plan
        let statement = try database.cachedStatement(sql: plan.updateSQL(columns))
        var writer = RowWriter(statement.sqliteStatement, plan: plan)
        for column in columns { writer.take(column, of: object) }
        for column in plan.keyColumns { writer.take(column, of: object) }
        try check(writer, object, "changing")
        let count = try tracker.expecting(object.recordKey, of: plan) {
            try run(statement, database, object, "changing", table: plan.table)
        }
        if count == 0 { try updateGone(object, database) }
    }

    /// Follows the merge policy for a changed record that was deleted elsewhere.
    private func updateGone(_ object: ManagedObject, _ database: Database) throws {
        switch context.mergePolicy {
        case .contextWins:
            try insert(object, database)
            outcome.hasRestored = true
            return
        case .storeWins:
            outcome.gone.append(object)
            return
        case .error: break
        }
        let plan = object.plan
        throw StoreError(
            .recordGone, doing: "changing", entity: plan.name, record: object.recordKey.text,
            reason: "it was deleted meanwhile",
            remedy: """
                Call `refresh(_:keepingChanges: false)` to let it be deleted here too, or set `mergePolicy` to \
                `contextWins` to insert it again; or roll back.
                """)
    }

    func delete(_ object: ManagedObject, _ database: Database) throws {
        for description in object.plan.relationships {
            guard case .manyToMany(let join) = description.kind else { continue }
            let table = SQLName.quoted(join.table)
            try run(
                "DELETE FROM \(table) WHERE \(SQLName.condition(join.sourceColumns))", object.recordKey.values,
                table: join.table, database, object, "deleting")
        }
        try run(object.plan.deleteSQL, object.recordKey.values, table: object.plan.table, database, object, "deleting")
    }

    /// Writes the foreign keys of a changed object that the context has cleared, and parks those that must wait.
    private func clear(_ move: LinkMove, _ database: Database) throws {
        try update(move.object, move.cleared, database)
        movedColumns[ObjectIdentifier(move.object), default: []] += move.cleared
        try park(move.object, move.parked, database)
    }

    /// Writes the foreign keys of a changed object that the context has set. One that another record has to give up
    /// first is parked until then.
    private func set(_ move: LinkMove, _ database: Database) throws {
        do {
            try update(move.object, move.set, database)
            movedColumns[ObjectIdentifier(move.object), default: []] += move.set
        } catch let error as StoreError where error.code == .notUnique {
            try park(move.object, move.set, database)
        }
    }

    /// Whether a key belongs to a record that is deleted and to a new one in its place.
    private func isReplaced(_ records: RecordMap, _ key: RecordKey) -> Bool {
        guard records.deletedObjects[key] != nil else { return false }
        return insertedKeys.contains(InsertedKey(records: ObjectIdentifier(records), key: key))
    }

    /// Whether deleting it can set off a trigger, or a foreign key's action, at other records.
    private static func isFollowedByRules(_ object: ManagedObject) -> Bool {
        object.plan.relationships.contains { description in
            if case .toOne = description.kind { return description.onDelete == .cascade }
            return description.onDelete != .none
        }
    }

    // MARK: Statements

    /// Runs SQL of ours about an object.
    ///
    /// - Returns: How many rows it changed.
    @discardableResult
    func run(
        _ sql: String, _ arguments: [DatabaseValue], table: String, _ database: Database, _ object: ManagedObject,
        _ operation: String
    ) throws -> Int {
        let statement = try database.cachedStatement(sql: sql)
        for (index, argument) in arguments.enumerated() {
            RowWriter.bind(argument, to: statement.sqliteStatement, Int32(index + 1))
        }
        guard table == object.plan.table else {
            tracker.noteInsertions(into: table)
            return try run(statement, database, object, operation, table: table)
        }
        return try tracker.expecting(object.recordKey, of: object.plan) {
            try run(statement, database, object, operation, table: table)
        }
    }

    /// Notes that rows of a table are written, and what that may set off.
    private func note(_ table: String, _ operation: String, _ database: Database) throws {
        let event: RowWrite.Event =
            switch operation {
            case "inserting", "linking": .insert
            case "deleting", "unlinking": .delete
            default: .update
            }
        if let latestWrite, latestWrite.event == event, latestWrite.table == table { return }
        let write = RowWrite(table: table, event: event)
        latestWrite = write
        tables.insert(table)
        try tracker.noteTriggers(of: write, in: database)
    }

    private func run(
        _ statement: Statement, _ database: Database, _ object: ManagedObject, _ operation: String, table: String
    ) throws -> Int {
        try step(statement, database, object, operation, table: table)
        return database.changesCount
    }

    private func step(
        _ statement: Statement, _ database: Database, _ object: ManagedObject, _ operation: String, table: String
    ) throws {
        let pointer = statement.sqliteStatement
        try note(table, operation, database)
        let code = sqlite3_step(pointer)
        guard code == SQLITE_DONE else {
            let error = database.lastError(code)
            sqlite3_reset(pointer)
            throw StoreError(error, doing: operation, object: object)
        }
        sqlite3_reset(pointer)
    }

    private func check(_ writer: borrowing RowWriter, _ object: ManagedObject, _ operation: String) throws {
        // A save has checked before; this is for what changed since then.
        if let violation = writer.violation {
            throw StoreError(violation.reason, of: violation.column, of: object, doing: operation)
        }
    }
}

/// The key of a new record of some entity.
private struct InsertedKey: Hashable {
    let records: ObjectIdentifier
    let key: RecordKey
}

/// The foreign keys of a changed object that the context has cleared or set.
private struct LinkMove {
    let object: ManagedObject
    var cleared: [Int] = []
    var set: [Int] = []
    /// Those that are set to the key of a new record which is still another one's: the delete of that must not reach
    /// the object.
    var parked: [Int] = []

    /// `nil` where no foreign key has changed.
    init?(_ object: ManagedObject, isReplaced: (RecordMap, RecordKey) -> Bool) {
        self.object = object
        for (relationship, description) in object.plan.relationships.enumerated() {
            guard case .toOne(columns: let columns, position: _, isRequired: _) = description.kind,
                columns.contains(where: object.changedColumns.contains)
            else { continue }
            guard let key = object.foreignKey(relationship) else {
                cleared += columns
                continue
            }
            if let owners = object.records?.destination(relationship), isReplaced(owners, key) {
                parked += columns
            } else {
                set += columns
            }
        }
        if cleared.isEmpty && set.isEmpty && parked.isEmpty { return nil }
    }
}
