import GRDB
internal import GRDBSQLite

extension Context {
    /// The records that a request of GRDB's query interface selects, in its order.
    ///
    /// The store is asked: a new record is found after it was saved, and a change counts from then on. What the context
    /// has of a record is kept: one object for each record, its unsaved changes untouched. Records that are about to be
    /// deleted are left out.
    ///
    /// ```swift
    /// let happy = try context.fetch(Entry.filter { $0.mood == .happy }.order(\.timestamp.desc).limit(10))
    /// ```
    ///
    /// - Throws: `StoreError` where the store cannot be read, the request selects other columns than the entity's, or
    ///   an earlier accessor could not read what it needed.
    public func fetch<Object: Model>(_ request: some ModelRequest<Object>) throws -> [Object] {
        try beginReading()
        let objects = try rows(of: request.request)
        try prefetch(request.prefetches, of: objects)
        return objects
    }

    /// The first record that a request selects; `nil` where it selects none.
    ///
    /// - Throws: As `fetch(_:)`.
    public func first<Object: Model>(_ request: some ModelRequest<Object>) throws -> Object? {
        try beginReading()
        guard let object = try firstRow(of: request.request) else { return nil }
        try prefetch(request.prefetches, of: [object])
        return object
    }

    /// How many records a request selects, in the store as it was last saved.
    ///
    /// - Throws: As `fetch(_:)`.
    public func count<Object: Model>(_ request: some ModelRequest<Object>) throws -> Int {
        try beginReading()
        return try read { try request.request.fetchCount($0) }
    }

    /// Whether a request selects any record, in the store as it was last saved.
    ///
    /// - Throws: As `fetch(_:)`.
    public func exists<Object: Model>(_ request: some ModelRequest<Object>) throws -> Bool {
        try beginReading()
        return try read { try !request.request.isEmpty($0) }
    }

    /// The record with this identity, unsaved ones included; `nil` where there is none, or it was deleted.
    ///
    /// - Throws: As `fetch(_:)`.
    public func find<Object: Model>(_ type: Object.Type, _ identity: Object.Identity) throws -> Object? {
        try type.find(identity, in: self)
    }

    /// The record that has this identity on the server; `nil` where there is none, or it was deleted.
    ///
    /// - Throws: As `fetch(_:)`.
    public func find<Object: Model>(_ type: Object.Type, wireIdentity: Object.WireIdentity) throws -> Object? {
        try type.find(wireIdentity: wireIdentity, in: self)
    }

    /// As `find(_:wireIdentity:)` for generated code: an error is thrown by the next save or fetch.
    public func linked<Object: Model>(_ type: Object.Type, wireIdentity: Object.WireIdentity) -> Object? {
        remembering { try records(type).find(wireIdentity: wireIdentity) }
    }

    private func firstRow<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> Object? {
        let records = records(Object.self)
        return try read { database in
            var found: Object?
            // SQLite is told to look for one row only, where the request has no limit of its own. If that one is about
            // to be deleted, the next ones are looked at.
            for isSingle in [true, false] where found == nil {
                var isLeftOut = false
                let statement = try request.makePreparedRequest(database, forSingleResult: isSingle).statement
                try checkColumns(of: statement, records.plan)
                try step(through: statement, database, records.plan) { row in
                    let object = records.typedObject(at: row)
                    isLeftOut = object.recordState == .deleted
                    if !isLeftOut { found = object }
                    return isLeftOut
                }
                if !isLeftOut { break }
            }
            return found
        }
    }

    private func rows<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> [Object] {
        let records = records(Object.self)
        return try read { database in
            let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
            try checkColumns(of: statement, records.plan)
            var objects: [Object] = []
            try step(through: statement, database, records.plan) { row in
                let object = records.typedObject(at: row)
                if object.recordState != .deleted { objects.append(object) }
                return true
            }
            return objects
        }
    }

    /// The objects of the rows of our own SQL. Records that are about to be deleted are left out.
    func objects(_ records: RecordMap, sql: String, _ arguments: [DatabaseValue]) throws -> [ManagedObject] {
        try read { database in
            let statement = try database.cachedStatement(sql: sql)
            RowWriter.bind(arguments, to: statement.sqliteStatement)
            var objects: [ManagedObject] = []
            try forEachRow(of: statement, database, records.plan) { row in
                let object = records.object(at: row)
                if object.recordState != .deleted { objects.append(object) }
            }
            return objects
        }
    }

    /// The first value of our own SQL as an integer; `nil` where there is none, or it is NULL.
    func integer(_ sql: String, _ arguments: [DatabaseValue]) throws -> Int? {
        try read { database in
            let statement = try database.cachedStatement(sql: sql)
            let pointer = statement.sqliteStatement
            sqlite3_reset(pointer)
            defer { sqlite3_reset(pointer) }
            for (index, argument) in arguments.enumerated() {
                RowWriter.bind(argument, to: pointer, Int32(index + 1))
            }
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                return sqlite3_column_type(pointer, 0) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(pointer, 0))
            case SQLITE_DONE: return nil
            case let code: throw database.lastError(code)
            }
        }
    }

    /// Steps through a statement whose arguments are set.
    func forEachRow(
        of statement: Statement, _ database: Database, _ plan: EntityPlan, _ body: (RowReader) throws -> Void
    ) throws {
        try step(through: statement, database, plan) { row in
            try body(row)
            return true
        }
    }

    /// Steps through a statement whose arguments are set, as long as `body` wants more.
    private func step(
        through statement: Statement, _ database: Database, _ plan: EntityPlan, _ body: (RowReader) throws -> Bool
    ) throws {
        let pointer = statement.sqliteStatement
        let problems = RowProblems(base.files)
        let row = RowReader(pointer, problems: problems)
        let wasBehind = mayBeBehind
        var isFirst = true
        sqlite3_reset(pointer)
        defer {
            sqlite3_reset(pointer)
            mayBeBehind = wasBehind
        }
        while true {
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                if isFirst {
                    // From its first step on, the statement sees one state of the store. Every commit in it was
                    // announced before.
                    mayBeBehind = base.hub.announced != seenCommit
                    isFirst = false
                }
                if try body(row) { continue }
                fallthrough
            case SQLITE_DONE:
                try throwProblem(problems, plan)
                return
            case let code: throw database.lastError(code)
            }
        }
    }

    /// Throws what was noted of rows that have these of the entity's columns; without a list, all in order.
    func throwProblem(_ problems: RowProblems, _ plan: EntityPlan, columns: [Int]? = nil) throws {
        guard var column = problems.firstColumn else { return }
        if let columns, column < columns.count { column = columns[column] }
        guard column < plan.columns.count else { return }
        throw StoreError(
            .unreadableValue, doing: "reading the store", entity: plan.name, attribute: plan.columns[column].memberName,
            reason: "the column “\(plan.columns[column].name)” holds a value that is not of the schema's type",
            remedy:
                "Look at the rows of the table “\(plan.table)”; something other than this schema's models wrote them.")
    }

    func checkColumns(of statement: Statement, _ plan: EntityPlan) throws {
        guard !statement.columnNames.prefix(plan.columns.count).elementsEqual(plan.columns.lazy.map(\.name)) else {
            return
        }
        throw StoreError(
            .wrongColumns, doing: "fetching", entity: plan.name,
            reason: "the request selects other columns than the entity's",
            remedy: "Fetch models from requests without `select`; use GRDB's own fetches for single columns.")
    }
}

extension Database {
    /// What SQLite says of the call that just failed.
    func lastError(_ code: Int32) -> DatabaseError {
        guard let connection = sqliteConnection else { return DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}

extension Context {
    /// Reads the store for another module, with the connection in use where there is one.
    package func readStore<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }
}
