import GRDB
@_spi(Generated) import LockstepTables

extension ManagedObjectContext {
    /// Returns the distinct values of a column in the records that a request selects, in ascending order, excluding
    /// NULL.
    ///
    /// ```swift
    /// let moods = try context.distinctValues(Entry.all(), of: \.mood)
    /// ```
    ///
    /// - Throws: As `fetch(_:)`.
    public func distinctValues<Object: Model, Value: AttributeValue>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> [Value] {
        let source = try ColumnSource(request, column: column, doing: "reading the values of a column")
        try beginReading()
        let order: SQL = Value.placeholder.isKeptAsDigits ? "CAST(\(source.sql) AS NUMERIC)" : source.sql
        // Values that were not written by the store may be encoded differently, for example a UUID in upper case.
        var known: Set<IdentityKey<Value>> = []
        var values: [Value] = []
        try scan(
            """
            SELECT DISTINCT \(source.sql) FROM \(source.rows) WHERE \(source.sql) IS NOT NULL ORDER BY \(order)
            """, of: source.plan, columns: [source.index]
        ) { row in
            let value: Value = row.value(0)
            if known.insert(IdentityKey(value)).inserted { values.append(value) }
            return true
        }
        return values
    }

    /// Returns the number of records that a request selects for each value of a column. NULL is not counted.
    ///
    /// ```swift
    /// let counts = try context.counts(Entry.all()) { $0.mood }  // [.happy: 12, .sad: 3]
    /// ```
    ///
    /// An enum's value that this version does not know is counted as `unknown` with its raw value. Texts that are equal
    /// in Swift (“é” as one scalar and as two) are counted together.
    ///
    /// - Throws: As `fetch(_:)`.
    public func counts<Object: Model, Value: AttributeValue>(
        _ request: some ModelRequest<Object>, by column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> [Value: Int] {
        let source = try ColumnSource(request, column: column, doing: "counting by a column")
        try beginReading()
        var counts: [Value: Int] = [:]
        try scan(
            """
            SELECT \(source.sql), COUNT(*) FROM \(source.rows) WHERE \(source.sql) IS NOT NULL GROUP BY \(source.sql)
            """, of: source.plan, columns: [source.index]
        ) { row in
            counts[row.value(0), default: 0] += row.int(1)
            return true
        }
        return counts
    }

    /// Returns the sums of a column over the records that a request selects, for each value of another column. NULL is
    /// skipped in both columns.
    ///
    /// ```swift
    /// let stock = try context.sums(Product.all(), of: \.stock, by: \.name)
    /// ```
    ///
    /// - Throws: As `sum(_:of:)`.
    public func sums<Object: Model, Value: SummableAttribute, Group: AttributeValue>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>,
        by group: (Object.DatabaseComponents) throws -> AttributeColumn<Group>
    ) throws -> [Group: Value.Sum] {
        let source = try ColumnSource(request, column: column, doing: "summing")
        return try totals(source, as: Value.self, by: ColumnSource(request, column: group, doing: "summing")).mapValues
        { total in
            guard let sum = Value.sum(of: total) else { throw source.overflow }
            return sum
        }
    }

    /// Returns the sums of a column of a custom type, for each value of another column, computed from the stored
    /// values.
    ///
    /// - Throws: As `sum(_:of:)`.
    public func sums<Object: Model, Value: CustomAttribute, Group: AttributeValue>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>,
        by group: (Object.DatabaseComponents) throws -> AttributeColumn<Group>
    ) throws -> [Group: Value] where Value.Stored: SummableAttribute, Value.Stored.Sum == Value.Stored {
        let source = try ColumnSource(request, column: column, doing: "summing")
        let groups = try ColumnSource(request, column: group, doing: "summing")
        return try totals(source, as: Value.Stored.self, by: groups).mapValues { total in
            guard let sum = Value.Stored.sum(of: total) else { throw source.overflow }
            return Value(stored: sum)
        }
    }

    private func totals<Object: Model, Value: AverageableAttribute, Group: AttributeValue>(
        _ source: ColumnSource<Object>, as type: Value.Type, by group: ColumnSource<Object>
    ) throws -> [Group: AttributeTotal] {
        try beginReading()
        var totals: [Group: AttributeTotal] = [:]
        let columns = [group.index, source.index]
        try scan("SELECT \(group.sql), \(source.sql) FROM \(source.rows)", of: source.plan, columns: columns) { row in
            guard !row.isNull(0) else { return true }
            let key: Group = row.value(0)
            let isRead = row.isNull(1) || totals[key, default: AttributeTotal()].add(row.databaseValue(1), as: type)
            if totals[key] == nil { totals[key] = AttributeTotal() }
            if !isRead { row.noteUnreadable(1) }
            return true
        }
        return totals
    }
}
