import GRDB

extension Context {
    /// The one record that a request selects; `nil` where it selects none.
    ///
    /// ```swift
    /// let entry = try context.only(Entry.filter { $0.title == "Monday" })
    /// ```
    ///
    /// As for `fetch(_:)`, the store is asked; ``find(_:_:)`` sees new records before they are saved.
    ///
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `moreThanOne` where the request selects more.
    public func only<Object: Model>(_ request: some ModelRequest<Object>) throws -> Object? {
        try beginReading()
        guard let object = try onlyRow(of: request.request, where: { _ in true }) else { return nil }
        try prefetch(request.prefetches, of: [object])
        return object
    }

    /// The one record that a request selects, or what `make` makes where there is none.
    ///
    /// Unlike a fetch it goes by what the context has: new records count before they are saved, and changed ones with
    /// their new values. So a loop that calls it and saves at the end makes no record twice.
    ///
    /// ```swift
    /// let tag = try context.findOrInsert(Tag.filter { $0.name == "clean" }) { Tag(id: 1, name: "clean", context: $0) }
    /// ```
    ///
    /// Unsaved records count by their own columns, and by links among them. Where records have to be linked to others
    /// by a `joining(required:)`, save before. Each call looks at all unsaved records of the entity: over thousands of
    /// them, save now and then, or look by identity, which costs the same always.
    ///
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `moreThanOne` where the request selects more than one,
    ///   `otherContext` where `make` made a record in another context. What `make` throws; what it inserted is taken
    ///   back then.
    public func findOrInsert<Object: Model>(
        _ request: some ModelRequest<Object>, make: (Context) throws -> Object
    ) throws -> Object {
        try beginReading()
        var found = try onlyRow(of: request.request) { $0.recordState == .stored }
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

    /// The one record that a request selects in the store, of those that `isCounted` takes.
    private func onlyRow<Object: Model>(
        of request: QueryInterfaceRequest<Object>, where isCounted: (Object) -> Bool
    ) throws -> Object? {
        let records = records(Object.self)
        let columns = records.plan.columns.indices.map { Self.column($0, records.plan) }.joined(separator: ", ")
        var found: Object?
        var hasMore = false
        try scan("SELECT \(columns) FROM \(Self.rows(of: request))", records.plan) { row in
            let object = records.typedObject(at: row)
            guard object.recordState != .deleted, isCounted(object) else { return true }
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
            remedy: "Ask for what only one record can have (`unique: true` in the schema sees to it), or use `fetch`.")
    }

    // MARK: Unsaved records

    /// SQLite takes 32,766 values for a statement; the request may have some, too.
    private static let valuesPerStatement = 30_000

    /// The new and changed records that a request selects by what they are now.
    private func pending<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> [Object] {
        let records = records(Object.self)
        let objects = (unsaved.inserted + unsaved.changed).filter { object in
            object.records === records && (object.recordState == .inserted || object.recordState == .changed)
        }
        var found: [Object] = []
        let chunk = max(1, Self.valuesPerStatement / records.plan.columns.count)
        for start in stride(from: 0, to: objects.count, by: chunk) {
            found += try pending(objects[start..<min(objects.count, start + chunk)], records, request)
        }
        return found
    }

    /// Asks SQLite, with a table of the records' values in the place of the entity's: the name of a common table
    /// expression goes before that of a table.
    private func pending<Object: Model>(
        _ objects: ArraySlice<ManagedObject>, _ records: TypedRecordMap<Object>,
        _ request: QueryInterfaceRequest<Object>
    ) throws -> [Object] {
        let plan = records.plan
        let names = plan.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let rows = objects.map { object -> SQL in
            let values = plan.columns.indices.map { SQL(object.storedValue($0).wholeExpression) }
            return "(\(values.joined(separator: ", ")))"
        }
        let selection = plan.columns.indices.map { place -> SQL in
            plan.keyColumns.contains(place) ? Self.column(place, plan) : "NULL"
        }
        let sql: SQL = """
            WITH \(sql: SQLName.quoted(plan.table)) (\(sql: names)) AS (VALUES \(rows.joined(separator: ", "))) \
            SELECT \(selection.joined(separator: ", ")) FROM \(Self.rows(of: request))
            """
        var found: [Object] = []
        try scan(sql, plan) { row in
            if let object = records.registered(Object.identity(in: row)) { found.append(object) }
            return true
        }
        return found
    }
}
