import Foundation
import GRDB

// Each uses the rows that the request selects, so that the aggregate of a limited request is that of the limited rows.
extension ManagedObjectContext {
    /// The sum of a column over the records that a request selects, in the store as it was last saved; zero if there
    /// are none. NULL is skipped.
    ///
    /// Integers and decimals are summed exactly.
    ///
    /// ```swift
    /// let stock = try context.sum(Product.filter { $0.price < 20 }) { $0.stock }
    /// ```
    ///
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `overflow` if the type cannot represent the sum.
    public func sum<Object: Model, Value: SummableAttribute>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> Value.Sum {
        let source = try ColumnSource(request, column: column, doing: "summing")
        guard let sum = Value.sum(of: try total(source, as: Value.self)) else { throw source.overflow }
        return sum
    }

    /// The sum of a column of a custom type, computed from the stored values.
    ///
    /// - Throws: As for a column of numbers.
    public func sum<Object: Model, Value: CustomAttribute>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> Value where Value.Stored: SummableAttribute, Value.Stored.Sum == Value.Stored {
        let source = try ColumnSource(request, column: column, doing: "summing")
        guard let sum = Value.Stored.sum(of: try total(source, as: Value.Stored.self)) else { throw source.overflow }
        return Value(stored: sum)
    }

    /// The average of a column over the records that a request selects, in the store as it was last saved; `nil` if
    /// none has a value. NULL is skipped.
    ///
    /// It is a `Double` for integers, a `Decimal` for decimals and a `Date` for dates.
    ///
    /// - Throws: As `sum(_:of:)`.
    public func average<Object: Model, Value: AverageableAttribute>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> Value.Average? {
        let source = try ColumnSource(request, column: column, doing: "averaging")
        let total = try total(source, as: Value.self)
        guard total.count > 0 else { return nil }
        guard let average = Value.average(of: total) else { throw source.overflow }
        return average
    }

    /// The average of a column of a custom type, computed from the stored values.
    ///
    /// - Throws: As `sum(_:of:)`.
    public func average<Object: Model, Value: CustomAttribute>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> Value? where Value.Stored: AverageableAttribute, Value.Stored.Average == Value.Stored {
        let source = try ColumnSource(request, column: column, doing: "averaging")
        let total = try total(source, as: Value.Stored.self)
        guard total.count > 0 else { return nil }
        guard let average = Value.Stored.average(of: total) else { throw source.overflow }
        return Value(stored: average)
    }

    /// The least value of a column over the records that a request selects, in the store as it was last saved; `nil` if
    /// none has a value.
    ///
    /// Decimals are compared as numbers; text (and what is stored as text, such as an enum of strings) is compared by
    /// bytes.
    ///
    /// - Throws: As `fetch(_:)`.
    public func minimum<Object: Model, Value: AttributeValue>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> Value? {
        try extreme(
            ColumnSource(request, column: column, doing: "looking for the least"), function: "MIN",
            isBetter: { $0 < $1 })
    }

    /// The greatest value of a column over the records that a request selects, in the store as it was last saved; `nil`
    /// if none has a value.
    ///
    /// Decimals are compared as numbers; text (and what is stored as text, such as an enum of strings) is compared by
    /// bytes.
    ///
    /// - Throws: As `fetch(_:)`.
    public func maximum<Object: Model, Value: AttributeValue>(
        _ request: some ModelRequest<Object>, of column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>
    ) throws -> Value? {
        try extreme(
            ColumnSource(request, column: column, doing: "looking for the greatest"), function: "MAX",
            isBetter: { $0 > $1 })
    }

    private func total<Object: Model, Value: AverageableAttribute>(
        _ source: ColumnSource<Object>, as type: Value.Type
    ) throws -> AttributeTotal {
        try beginReading()
        var total = AttributeTotal()
        try scan("SELECT \(source.sql) FROM \(source.rows)", of: source.plan, columns: [source.index]) { row in
            if !row.isNull(0), !total.add(row.databaseValue(0), as: type) { row.noteUnreadable(0) }
            return true
        }
        return total
    }

    private func extreme<Object: Model, Value: AttributeValue>(
        _ source: ColumnSource<Object>, function: String, isBetter: (Decimal, Decimal) -> Bool
    ) throws -> Value? {
        try beginReading()
        var found: Value?
        guard Value.placeholder.isKeptAsDigits else {
            let sql: SQL = "SELECT \(sql: function)(\(source.sql)) FROM \(source.rows)"
            try scan(sql, of: source.plan, columns: [source.index]) { row in
                if !row.isNull(0) { found = row.value(0) }
                return false
            }
            return found
        }
        // SQLite would compare the digits as text, or as doubles.
        var best: Decimal?
        try scan("SELECT \(source.sql) FROM \(source.rows)", of: source.plan, columns: [source.index]) { row in
            guard !row.isNull(0) else { return true }
            let number: Decimal = row.value(0)
            if best.map({ isBetter(number, $0) }) ?? true { (best, found) = (number, row.value(0)) }
            return true
        }
        return found
    }
}

/// One column of the rows that a request selects.
struct ColumnSource<Object: Model> {
    let plan: EntityPlan
    /// The column's index in the plan.
    let index: Int
    let rows: SQL
    /// The column in SQL, in terms of ``rows``.
    let sql: SQL
    private let operation: String

    init<Value>(
        _ request: some ModelRequest<Object>, column: (Object.DatabaseComponents) throws -> AttributeColumn<Value>,
        doing operation: String
    ) throws {
        plan = Object.entity.plan
        index = try plan.index(of: column(Object.databaseComponents), doing: operation)
        rows = ManagedObjectContext.rows(of: request.request)
        sql = ManagedObjectContext.column(index, of: plan)
        self.operation = operation
    }

    /// The error if the type of the column's aggregate cannot represent the result.
    var overflow: StoreError {
        StoreError(
            .overflow, doing: operation, entity: plan.name, attribute: plan.columns[index].memberName,
            reason: "the result is too great, or has too many digits, for the attribute's type",
            remedy: "Ask for fewer records at once, or let SQLite compute a double: `SELECT TOTAL(…)` through GRDB.")
    }
}

extension EntityPlan {
    func index<Value>(of column: AttributeColumn<Value>, doing operation: String) throws -> Int {
        try index(ofColumn: column.name, doing: operation)
    }

    func index(ofColumn name: String, doing operation: String) throws -> Int {
        if let index = columns.firstIndex(where: { $0.name == name }) { return index }
        throw StoreError(
            .wrongColumns, doing: operation, entity: self.name, attribute: name,
            reason: "the table “\(table)” has no such column", remedy: "Use one of the entity's columns.")
    }
}
