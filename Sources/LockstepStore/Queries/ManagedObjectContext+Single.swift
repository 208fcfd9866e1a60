import GRDB

extension ManagedObjectContext {
    /// Returns the only record that a request selects; `nil` if it selects none.
    ///
    /// ```swift
    /// let entry = try context.only(Entry.filter { $0.title == "Monday" })
    /// ```
    ///
    /// As `fetch(_:)`, it queries the store; ``find(_:_:)`` finds new records before they are saved.
    ///
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `moreThanOne` if the request selects more.
    public func only<Object: Model>(_ request: some ModelRequest<Object>) throws -> Object? {
        try beginReading()
        guard let object = try onlyRow(of: request.request, where: { _ in true }) else { return nil }
        try prefetch(request.prefetches, of: [object])
        return object
    }

    /// Returns the only record that a request selects or, if there is none, the one returned by `make`.
    ///
    /// Unlike a fetch, it uses the context's state: new records are found before they are saved, and changed ones by
    /// their new values. So a loop that calls it and saves at the end creates no duplicates.
    ///
    /// ```swift
    /// let tag = try context.findOrInsert(Tag.filter { $0.name == "clean" }) { Tag(id: 1, name: "clean", context: $0) }
    /// ```
    ///
    /// Unsaved records are found by their own columns, and by links among them. If the request links records to others
    /// with `joining(required:)`, save first. Each call examines all unsaved records of the entity: if there are
    /// thousands, save regularly, or find records by identity, whose cost is constant.
    ///
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `moreThanOne` if the request selects more than one,
    ///   `otherContext` if `make` created a record in another context. Errors of `make`; the records that it inserted
    ///   are discarded then.
    public func findOrInsert<Object: Model>(
        _ request: some ModelRequest<Object>, make: (ManagedObjectContext) throws -> Object
    ) throws -> Object {
        try beginReading()
        var found = try onlyRow(of: request.request) { $0.state == .stored }
        for object in try pending(of: request.request) where object !== found {
            if found != nil { throw Self.moreThanOne(Object.entity.plan) }
            found = object
        }
        if let found {
            try prefetch(request.prefetches, of: [found])
            return found
        }
        return try making(make)
    }

    /// The only record that a request selects in the store, among those that `isCounted` accepts.
    private func onlyRow<Object: Model>(
        of request: QueryInterfaceRequest<Object>, where isCounted: (Object) -> Bool
    ) throws -> Object? {
        let records = records(Object.self)
        let columns = records.plan.columns.indices.map { Self.column($0, of: records.plan) }.joined(separator: ", ")
        var found: Object?
        var hasMore = false
        try scan("SELECT \(columns) FROM \(Self.rows(of: request))", of: records.plan) { row in
            let object = records.typedObject(at: row)
            guard object.state != .deleted, isCounted(object) else { return true }
            hasMore = found != nil && found !== object
            found = found ?? object
            return !hasMore
        }
        if hasMore { throw Self.moreThanOne(records.plan) }
        return found
    }

    private static func moreThanOne(_ plan: EntityPlan) -> StoreError {
        StoreError(
            .moreThanOne, doing: "looking for one record", entity: plan.name,
            reason: "more than one record is selected where one was expected",
            remedy: "Select by a value that only one record can have (`unique: true` in the schema), or use `fetch`.")
    }

    // MARK: Unsaved records

    /// SQLite allows 32,766 values in a statement, and the request may contain some.
    private static let valuesPerStatement = 30_000

    /// The new and changed records that a request selects by their current values.
    private func pending<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> [Object] {
        let records = records(Object.self)
        let objects = (unsaved.inserted + unsaved.changed).filter { object in
            object.records === records && (object.state == .inserted || object.state == .changed)
        }
        var found: [Object] = []
        let chunk = max(1, Self.valuesPerStatement / records.plan.columns.count)
        for start in stride(from: 0, to: objects.count, by: chunk) {
            found += try pending(objects[start..<min(objects.count, start + chunk)], records: records, for: request)
        }
        return found
    }

    /// Queries SQLite with a table of the records' values in place of the entity's: the name of a common table
    /// expression takes precedence over that of a table.
    private func pending<Object: Model>(
        _ objects: ArraySlice<ManagedObject>, records: TypedRecordMap<Object>,
        for request: QueryInterfaceRequest<Object>
    ) throws -> [Object] {
        let plan = records.plan
        let names = plan.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let rows = objects.map { object -> SQL in
            let values = plan.columns.indices.map { SQL(object.storedValue($0).wholeExpression) }
            return "(\(values.joined(separator: ", ")))"
        }
        let selection = plan.columns.indices.map { index -> SQL in
            plan.keyColumns.contains(index) ? Self.column(index, of: plan) : "NULL"
        }
        let sql: SQL = """
            WITH \(sql: SQLName.quoted(plan.table)) (\(sql: names)) AS (VALUES \(rows.joined(separator: ", "))) \
            SELECT \(selection.joined(separator: ", ")) FROM \(Self.rows(of: request))
            """
        var found: [Object] = []
        try scan(sql, of: plan) { row in
            if let object = records.registered(Object.identity(in: row)) { found.append(object) }
            return true
        }
        return found
    }
}
