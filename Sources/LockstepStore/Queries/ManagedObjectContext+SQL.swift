public import GRDB
@_spi(Generated) import LockstepTables

// SQL of the app. Columns are found by name, so they may be in any order, and there may be others.
extension ManagedObjectContext {
    /// Fetches the records that your own SQL selects, in its order.
    ///
    /// It must return every column of the entity's table, in any order; additional columns are ignored. If two columns
    /// have the same name, the first is used.
    ///
    /// ```swift
    /// let entries = try context.fetch(Entry.self, sql: "SELECT * FROM entry WHERE mood = ? AND timestamp > ?",
    ///                                 arguments: [Mood.happy, Date(timeIntervalSinceNow: -86_400)])
    /// ```
    ///
    /// As `fetch(_:)`, it queries the store, and records that are about to be deleted are left out.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - sql: A query that returns the entity's columns, under their names.
    ///   - arguments: The values of the question marks in order, each in the encoding of columns: a UUID as text, a
    ///     date as seconds, `Money` as what it is stored as.
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `wrongColumns` if a column is missing, and `notAQuery` if
    ///   the SQL would write.
    public func fetch<Object: Model>(
        _ type: Object.Type, sql: String, arguments: [(any AttributeValue)?] = []
    ) throws -> [Object] {
        try fetch(Query<Object>(sql, arguments: arguments))
    }

    /// Returns the first record that your own SQL selects; `nil` if it selects none.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``.
    public func first<Object: Model>(
        _ type: Object.Type, sql: String, arguments: [(any AttributeValue)?] = []
    ) throws -> Object? {
        try first(Query<Object>(sql, arguments: arguments))
    }

    /// Returns the number of rows that your own SQL selects, in the store as it was last saved.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``; the columns do not matter.
    public func count<Object: Model>(
        _ type: Object.Type, sql: String, arguments: [(any AttributeValue)?] = []
    ) throws -> Int {
        try count(Query<Object>(sql, arguments: arguments))
    }

    /// Fetches the records that a request in SQL selects, in its order.
    ///
    /// ```swift
    /// let entries = try context.fetch(SQLRequest<Entry>("SELECT * FROM entry WHERE mood = \(Mood.happy)"))
    /// ```
    ///
    /// Values in the text are bound in the encoding of columns. What is passed to GRDB as `arguments:` is bound in
    /// GRDB's encoding, which is another text for a date and bytes for a UUID: pass their `storedValue` instead.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``.
    public func fetch<Object: Model>(_ request: SQLRequest<Object>) throws -> [Object] { try fetch(Query(request)) }

    /// Returns the first record that a request in SQL selects; `nil` if it selects none.
    ///
    /// - Throws: As ``fetch(_:sql:arguments:)``.
    public func first<Object: Model>(_ request: SQLRequest<Object>) throws -> Object? { try first(Query(request)) }

    /// Returns the number of rows that a request in SQL selects, in the store as it was last saved.
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
            try scan(statement, in: database, of: Object.entity.plan) { row in
                count = row.int(0)
                return false
            }
        }
        return count
    }

    /// Steps through the records of a query, until `body` stops it.
    private func scan<Object: Model>(_ query: Query<Object>, body: (Object) -> Bool) throws {
        try beginReading()
        let records = records(Object.self)
        // The tables and views that the SQL uses are the app's, which may have changed them since. SQLite would notice
        // that when the statement is run, after its columns were examined.
        try connection.readingOneState {
            try read { database in
                try connection.refreshWholeSchema(database)
                try scan(try query.statement(database, of: records.plan), in: database, of: records.plan) { row in
                    let object = records.typedObject(at: row)
                    return object.state == .deleted || body(object)
                }
            }
        }
    }
}

/// A query in SQL of the app.
private struct Query<Object: Model> {
    private let request: SQLRequest<Object>
    /// The values of the question marks, if they are known.
    private let values: [DatabaseValue]?

    init(_ request: SQLRequest<Object>) {
        self.request = request
        values = nil
    }

    init(_ sql: String, arguments: [(any AttributeValue)?]) {
        let values = arguments.map { $0?.storedValue ?? .null }
        request = SQLRequest(sql: sql, arguments: StatementArguments(values))
        self.values = values
    }

    /// A statement whose columns are those of an entity, in their order.
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
                reason: "the SQL does not return the column “\(missing.name)”",
                remedy: "Select every column of the table: `SELECT \(SQLName.quoted(plan.table)).*`.")
        }
        // SQLite keeps the order of the rows of the only query that it selects from.
        let columns = plan.columns.map { "t." + SQLName.quoted($0.name) }.joined(separator: ", ")
        return try wrapping(statement, in: database, selection: columns)
    }

    /// A statement that selects something from the query's rows.
    func statement(_ database: Database, selecting selection: String) throws -> Statement {
        try wrapping(statement(database), in: database, selection: selection)
    }

    private func statement(_ database: Database) throws -> Statement {
        let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
        guard statement.isReadonly, statement.columnCount > 0 else {
            throw StoreError(
                .notAQuery, doing: "fetching", entity: Object.entity.name,
                reason: "the SQL is not a query, or would write",
                remedy: "Write through models and `save()`, or through GRDB: `store.writer.write`.")
        }
        bindWhole(statement)
        return statement
    }

    private func wrapping(_ statement: Statement, in database: Database, selection: String) throws -> Statement {
        // On separate lines, because the SQL may end in a comment.
        let sql = "SELECT \(selection) FROM (\n\(statement.sql)\n) AS t"
        let wrapping = try database.cachedStatement(sql: sql)
        try wrapping.setArguments(statement.arguments)
        bindWhole(wrapping)
        return wrapping
    }

    /// Binds text with NUL in it completely, which GRDB would truncate.
    private func bindWhole(_ statement: Statement) {
        guard let values else { return }
        RowWriter.bind(values, to: statement.sqliteStatement)
    }
}
