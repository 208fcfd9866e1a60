public import Foundation
public import GRDB

// GRDB's operators take every value that GRDB can encode, a date as text and a UUID as bytes, and then match nothing,
// or everything. So each of them that takes a value has a counterpart here that encodes it as the column does.

/// Optional values on the right.
extension AttributeColumn {
    /// Whether the column's value is less. It is never less than `nil`.
    public static func < (column: Self, value: Value?) -> SQLExpression { column.comparable < comparable(value) }

    /// Whether the column's value is less or equal. It never is to `nil`.
    public static func <= (column: Self, value: Value?) -> SQLExpression { column.comparable <= comparable(value) }

    /// Whether the column's value is greater. It is never greater than `nil`.
    public static func > (column: Self, value: Value?) -> SQLExpression { column.comparable > comparable(value) }

    /// Whether the column's value is greater or equal. It never is to `nil`.
    public static func >= (column: Self, value: Value?) -> SQLExpression { column.comparable >= comparable(value) }

    /// Whether the two are the same (`IS`): NULL is the same as `nil`.
    public static func === (column: Self, value: Value?) -> SQLExpression { column.stored === stored(value) }

    /// Whether the two are not the same (`IS NOT`): NULL is not the same as a value.
    public static func !== (column: Self, value: Value?) -> SQLExpression { column.stored !== stored(value) }

    /// Whether the two are the same (`IS`).
    public static func === (column: Self, value: Value) -> SQLExpression { column.stored === stored(value) }

    /// Whether the two are not the same (`IS NOT`).
    public static func !== (column: Self, value: Value) -> SQLExpression { column.stored !== stored(value) }
}

/// Values on the left.
extension AttributeColumn {
    /// Whether the column's value is equal.
    public static func == (value: Value, column: Self) -> SQLExpression { column == value }

    /// Whether the column's value differs.
    public static func != (value: Value, column: Self) -> SQLExpression { column != value }

    /// Whether the column's value is equal; `nil` is equal to NULL.
    public static func == (value: Value?, column: Self) -> SQLExpression { column == value }

    /// Whether the column's value differs.
    public static func != (value: Value?, column: Self) -> SQLExpression { column != value }

    /// Whether the column's value is greater.
    public static func < (value: Value, column: Self) -> SQLExpression { column > value }

    /// Whether the column's value is greater or equal.
    public static func <= (value: Value, column: Self) -> SQLExpression { column >= value }

    /// Whether the column's value is less.
    public static func > (value: Value, column: Self) -> SQLExpression { column < value }

    /// Whether the column's value is less or equal.
    public static func >= (value: Value, column: Self) -> SQLExpression { column <= value }

    /// Whether the column's value is greater. It is never greater than `nil`.
    public static func < (value: Value?, column: Self) -> SQLExpression { column > value }

    /// Whether the column's value is greater or equal. It never is to `nil`.
    public static func <= (value: Value?, column: Self) -> SQLExpression { column >= value }

    /// Whether the column's value is less. It is never less than `nil`.
    public static func > (value: Value?, column: Self) -> SQLExpression { column < value }

    /// Whether the column's value is less or equal. It never is to `nil`.
    public static func >= (value: Value?, column: Self) -> SQLExpression { column <= value }
}

// For an optional that GRDB could encode itself, Swift prefers GRDB's operator to one for `Value?`. So these have the
// signatures of GRDB's, and check the type of the value.

extension AttributeColumn where Value: SQLExpressible {
    /// Whether the value is equal; `nil` is equal to NULL.
    public static func == (column: Self, value: (any SQLExpressible)?) -> SQLExpression { column.stored == kept(value) }

    /// Whether the value differs. Every value differs from `nil`.
    public static func != (column: Self, value: (any SQLExpressible)?) -> SQLExpression { column.stored != kept(value) }

    /// Whether the column's value is equal; `nil` is equal to NULL.
    public static func == (value: (any SQLExpressible)?, column: Self) -> SQLExpression { column.stored == kept(value) }

    /// Whether the column's value differs. Every value differs from `nil`.
    public static func != (value: (any SQLExpressible)?, column: Self) -> SQLExpression { column.stored != kept(value) }

    /// Whether the two are the same (`IS`): NULL is the same as `nil`.
    public static func === (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
        column.stored === kept(value)
    }

    /// Whether the two are not the same (`IS NOT`): NULL is not the same as a value.
    public static func !== (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
        column.stored !== kept(value)
    }

    /// A value of the column's type in the encoding of the column, anything else unchanged.
    private static func kept(_ value: (any SQLExpressible)?) -> SQLExpression {
        guard let value else { return DatabaseValue.null.sqlExpression }
        if let value = value as? Value { return stored(value) }
        return value.sqlExpression
    }
}

/// Another column of the same type. Decimals are compared as numbers.
extension AttributeColumn {
    /// Whether the left value is less.
    public static func < (left: Self, right: Self) -> SQLExpression { left.comparable < right.comparable }

    /// Whether the left value is less or equal.
    public static func <= (left: Self, right: Self) -> SQLExpression { left.comparable <= right.comparable }

    /// Whether the left value is greater.
    public static func > (left: Self, right: Self) -> SQLExpression { left.comparable > right.comparable }

    /// Whether the left value is greater or equal.
    public static func >= (left: Self, right: Self) -> SQLExpression { left.comparable >= right.comparable }
}

extension AttributeColumn {
    /// The column's value, or another if it is NULL.
    public static func ?? (column: Self, value: Value) -> SQLExpression { ifNull(column, value: value) }

    static func ifNull(_ column: Self, value: Value) -> SQLExpression {
        let expression = column.stored ?? stored(value)
        return value.isKeptAsDigits ? number(expression) : expression
    }

    /// Ascending order, NULL last.
    public var ascNullsLast: SQLOrdering { comparable.ascNullsLast }

    /// Descending order, NULL first.
    public var descNullsFirst: SQLOrdering { comparable.descNullsFirst }

    // For GRDB's `updateAll`. Models could not read values in GRDB's own encoding.

    /// Sets the column, for GRDB's `updateAll`: `[$0.timestamp.set(to: date)]`.
    public func set(to value: Value) -> ColumnAssignment { Column(SQLName.forGRDB(name)).set(to: Self.stored(value)) }

    /// Sets the column, or makes it NULL for `nil`, for GRDB's `updateAll`.
    public func set(to value: Value?) -> ColumnAssignment { Column(SQLName.forGRDB(name)).set(to: Self.stored(value)) }
}

// GRDB encodes ranges of integers and floating-point numbers as columns do.

extension ClosedRange where Bound == Date {
    /// Whether the column's value is in the range, including both ends.
    public func contains(_ column: AttributeColumn<Date>) -> SQLExpression { column.between(self) }
}

extension ClosedRange where Bound == Day {
    /// Whether the column's value is in the range, including both ends.
    public func contains(_ column: AttributeColumn<Day>) -> SQLExpression { column.between(self) }
}

extension ClosedRange where Bound == Decimal {
    /// Whether the column's value is in the range, including both ends.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression { column.between(self) }
}

extension Range where Bound == Date {
    /// Whether the column's value is in the range, excluding the upper bound.
    public func contains(_ column: AttributeColumn<Date>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}

extension Range where Bound == Day {
    /// Whether the column's value is in the range, excluding the upper bound.
    public func contains(_ column: AttributeColumn<Day>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}

extension Range where Bound == Decimal {
    /// Whether the column's value is in the range, excluding the upper bound.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}
