public import GRDB

// SQL of the app's own. Columns are found by their names, so that it may have them in any order, and others beside.
extension Context {
    /// The records that SQL of your own selects, in its order.
    ///
    /// It must give every column of the entity's table; others beside them do not matter, nor does their order. Of two
    /// columns of one name the first counts.
    ///
    /// ```swift
    /// let entries = try context.fetch(Entry.self, sql: "SELECT * FROM entry WHERE mood = ? AND timestamp > ?",
    ///                                 arguments: [Mood.happy, Date(timeIntervalSinceNow: -86_400)])
    /// ```
    ///
    /// As for `fetch(_:)`, the store is asked, and records that are about to be deleted are left out.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - sql: A query that gives the entity's columns, under their names.
    ///   - arguments: The values of the question marks in order, each bound as columns keep it: a UUID as text, a date
    ///     as seconds, `Money` as what it is kept as.
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `wrongColumns` where a column is missing, and `notAQuery`
    ///   where the SQL would write.
    public func fetch<Object: Model>(
        _ type: Object.Type, sql: String, arguments: [(any AttributeValue)?] = []
    ) throws -> [Object] {
        try fetch(Query<Object>(sql, arguments))
    }

    /// The first record that SQL of your own selects; `nil` where it selects none.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``.
    public func first<Object: Model>(
        _ type: Object.Type, sql: String, arguments: [(any AttributeValue)?] = []
    ) throws -> Object? {
        try first(Query<Object>(sql, arguments))
    }

    /// How many rows SQL of your own selects, in the store as it was last saved.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``; the columns do not matter.
    public func count<Object: Model>(
        _ type: Object.Type, sql: String, arguments: [(any AttributeValue)?] = []
    ) throws -> Int {
        try count(Query<Object>(sql, arguments))
    }

    /// The records that a request in SQL selects, in its order.
    ///
    /// ```swift
    /// let entries = try context.fetch(SQLRequest<Entry>("SELECT * FROM entry WHERE mood = \(Mood.happy)"))
    /// ```
    ///
    /// Values in the text are bound as columns keep them. What is given to GRDB as `arguments:` is bound as GRDB would,
    /// which is another text for a date and bytes for a UUID: give it their `storedValue`.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``.
    public func fetch<Object: Model>(_ request: SQLRequest<Object>) throws -> [Object] { try fetch(Query(request)) }

    /// The first record that a request in SQL selects; `nil` where it selects none.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``.
    public func first<Object: Model>(_ request: SQLRequest<Object>) throws -> Object? { try first(Query(request)) }

    /// How many rows a request in SQL selects, in the store as it was last saved.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``; the columns do not matter.
    public func count<Object: Model>(_ request: SQLRequest<Object>) throws -> Int { try count(Query(request)) }

    private func fetch<Object: Model>(_ query: Query<Object>) throws -> [Object] {
        var objects: [Object] = []
        try scan(query) { object in
            objects.append(object)
            return true
        }
        return objects
    }

    private func first<Object: Model>(_ query: Query<Object>) throws -> Object? {
        var first: Object?
        try scan(query) { object in
            first = object
            return false
        }
        return first
    }

    private func count<Object: Model>(_ query: Query<Object>) throws -> Int {
        try beginReading()
        var count = 0
        try read { database in
            let statement = try query.statement(database, selecting: "COUNT(*)")
            try scan(statement, database, Object.entity.plan) { row in
                count = row.int(0)
                return false
            }
        }
        return count
    }

    /// Steps through the records of a query, as long as `body` wants more.
    private func scan<Object: Model>(_ query: Query<Object>, _ body: (Object) -> Bool) throws {
        try beginReading()
        let records = records(Object.self)
        try read { database in
            try scan(try query.statement(database, of: records.plan), database, records.plan) { row in
                let object = records.typedObject(at: row)
                return object.recordState == .deleted || body(object)
            }
        }
    }
}

/// A query in the app's own SQL.
private struct Query<Object: Model> {
    private let request: SQLRequest<Object>
    /// The values of the question marks, where they are known.
    private let values: [DatabaseValue]?

    init(_ request: SQLRequest<Object>) {
        self.request = request
        values = nil
    }

    init(_ sql: String, _ arguments: [(any AttributeValue)?]) {
        let values = arguments.map { $0?.storedValue ?? .null }
        request = SQLRequest(sql: sql, arguments: StatementArguments(values))
        self.values = values
    }

    /// A statement whose columns are those of an entity, in their places.
    func statement(_ database: Database, of plan: EntityPlan) throws -> Statement {
        let statement = try statement(database)
        let given = statement.columnNames.map { $0.lowercased() }
        if given.prefix(plan.columns.count).elementsEqual(plan.columns.lazy.map { $0.name.lowercased() }) {
            return statement
        }
        let known = Set(given)
        if let missing = plan.columns.first(where: { !known.contains($0.name.lowercased()) }) {
            throw StoreError(
                .wrongColumns, doing: "fetching", entity: plan.name, attribute: missing.memberName,
                reason: "the SQL gives no column “\(missing.name)”",
                remedy: "Select every column of the table: `SELECT \(SQLName.quoted(plan.table)).*`.")
        }
        // SQLite keeps the order of the rows of the one query it selects from.
        let columns = plan.columns.map { "t." + SQLName.quoted($0.name) }.joined(separator: ", ")
        return try wrapping(statement, database, columns)
    }

    /// A statement that selects something from the query's rows.
    func statement(_ database: Database, selecting selection: String) throws -> Statement {
        try wrapping(statement(database), database, selection)
    }

    private func statement(_ database: Database) throws -> Statement {
        let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
        guard statement.isReadonly, statement.columnCount > 0 else {
            throw StoreError(
                .notAQuery, doing: "fetching", entity: Object.entity.name,
                reason: "the SQL is no query, or would write",
                remedy: "Write through models and `save()`, or through GRDB: `store.writer.write`.")
        }
        bindWhole(statement)
        return statement
    }

    private func wrapping(_ statement: Statement, _ database: Database, _ selection: String) throws -> Statement {
        // On lines of its own: it may end in a comment.
        let sql = "SELECT \(selection) FROM (\n\(statement.sql)\n) AS t"
        let wrapping = try database.cachedStatement(sql: sql)
        try wrapping.setArguments(statement.arguments)
        bindWhole(wrapping)
        return wrapping
    }

    /// Binds texts whole that have NUL in them: GRDB would up to there.
    private func bindWhole(_ statement: Statement) {
        guard let values else { return }
        RowWriter.bind(values, to: statement.sqliteStatement)
    }
}
