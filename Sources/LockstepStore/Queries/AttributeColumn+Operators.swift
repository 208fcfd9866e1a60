public import Foundation
public import GRDB

// GRDB's operators take whatever it can write itself, a date as a text and a UUID as bytes, and then find nothing, or
// everything. So each of them that takes a value has its counterpart here that writes it as the column keeps it.

/// What may be there or not, on the right.
extension AttributeColumn {
    /// Whether the column's value is less; of `nil`, no value is.
    public static func < (column: Self, value: Value?) -> SQLExpression { column.comparable < comparable(value) }

    /// Whether the column's value is less or equal; to `nil`, no value is.
    public static func <= (column: Self, value: Value?) -> SQLExpression { column.comparable <= comparable(value) }

    /// Whether the column's value is greater; than `nil`, no value is.
    public static func > (column: Self, value: Value?) -> SQLExpression { column.comparable > comparable(value) }

    /// Whether the column's value is greater or equal; to `nil`, no value is.
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

/// A value on the left.
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

    /// Whether the column's value is greater; than `nil`, no value is.
    public static func < (value: Value?, column: Self) -> SQLExpression { column > value }

    /// Whether the column's value is greater or equal; to `nil`, no value is.
    public static func <= (value: Value?, column: Self) -> SQLExpression { column >= value }

    /// Whether the column's value is less; than `nil`, no value is.
    public static func > (value: Value?, column: Self) -> SQLExpression { column < value }

    /// Whether the column's value is less or equal; to `nil`, no value is.
    public static func >= (value: Value?, column: Self) -> SQLExpression { column <= value }
}

// Of an optional that GRDB could write itself, Swift takes GRDB's operator before one for `Value?`. So these have the
// signatures of GRDB's, and look at what they are given.

extension AttributeColumn where Value: SQLExpressible {
    /// Whether the value is equal; `nil` is equal to NULL.
    public static func == (column: Self, value: (any SQLExpressible)?) -> SQLExpression { column.stored == kept(value) }

    /// Whether the value differs; from `nil`, every value does.
    public static func != (column: Self, value: (any SQLExpressible)?) -> SQLExpression { column.stored != kept(value) }

    /// Whether the column's value is equal; `nil` is equal to NULL.
    public static func == (value: (any SQLExpressible)?, column: Self) -> SQLExpression { column.stored == kept(value) }

    /// Whether the column's value differs; from `nil`, every value does.
    public static func != (value: (any SQLExpressible)?, column: Self) -> SQLExpression { column.stored != kept(value) }

    /// Whether the two are the same (`IS`): NULL is the same as `nil`.
    public static func === (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
        column.stored === kept(value)
    }

    /// Whether the two are not the same (`IS NOT`): NULL is not the same as a value.
    public static func !== (column: Self, value: (any SQLExpressible)?) -> SQLExpression {
        column.stored !== kept(value)
    }

    /// A value of the column's type as the column keeps it; anything else as it is.
    private static func kept(_ value: (any SQLExpressible)?) -> SQLExpression {
        guard let value else { return DatabaseValue.null.sqlExpression }
        if let value = value as? Value { return stored(value) }
        return value.sqlExpression
    }
}

/// Another column of the same type: decimals are compared as numbers.
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
    /// The column's value, or another where it is NULL.
    public static func ?? (column: Self, value: Value) -> SQLExpression { ifNull(column, value) }

    static func ifNull(_ column: Self, _ value: Value) -> SQLExpression {
        let expression = column.stored ?? stored(value)
        return value.isKeptAsDigits ? number(expression) : expression
    }

    /// An ordering from the least value up, NULL last.
    public var ascNullsLast: SQLOrdering { comparable.ascNullsLast }

    /// An ordering from the greatest value down, NULL first.
    public var descNullsFirst: SQLOrdering { comparable.descNullsFirst }

    // For GRDB's `updateAll`. What it wrote itself, no model could read.

    /// Sets the column, for GRDB's `updateAll`: `[$0.timestamp.set(to: date)]`.
    public func set(to value: Value) -> ColumnAssignment { Column(SQLName.forGRDB(name)).set(to: Self.stored(value)) }

    /// Sets the column, or with `nil` makes it NULL, for GRDB's `updateAll`.
    public func set(to value: Value?) -> ColumnAssignment { Column(SQLName.forGRDB(name)).set(to: Self.stored(value)) }
}

// Ranges of whole numbers and floating-point ones GRDB writes as columns keep them.

extension ClosedRange where Bound == Date {
    /// Whether the column's value lies in the range, its ends included.
    public func contains(_ column: AttributeColumn<Date>) -> SQLExpression { column.between(self) }
}

extension ClosedRange where Bound == Decimal {
    /// Whether the column's value lies in the range, its ends included.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression { column.between(self) }
}

extension Range where Bound == Date {
    /// Whether the column's value lies in the range, its upper end left out.
    public func contains(_ column: AttributeColumn<Date>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}

extension Range where Bound == Decimal {
    /// Whether the column's value lies in the range, its upper end left out.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}
