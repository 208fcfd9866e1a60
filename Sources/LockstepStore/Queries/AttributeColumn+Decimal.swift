public import Foundation
public import GRDB

// A literal is a `Double` or an `Int` before it is a `Decimal`, and GRDB would compare it without conversion, which is
// wrong for digits stored as text. So a decimal's column has its own operators for literals.
extension AttributeColumn where Value == Decimal {
    private static func decimal(_ value: Double) -> Decimal { Decimal(exactly: value.description) ?? Decimal(value) }

    /// Whether the column's value is equal.
    public static func == (column: Self, value: Double) -> SQLExpression { column == decimal(value) }

    /// Whether the column's value differs.
    public static func != (column: Self, value: Double) -> SQLExpression { column != decimal(value) }

    /// Whether the column's value is less.
    public static func < (column: Self, value: Double) -> SQLExpression { column < decimal(value) }

    /// Whether the column's value is less or equal.
    public static func <= (column: Self, value: Double) -> SQLExpression { column <= decimal(value) }

    /// Whether the column's value is greater.
    public static func > (column: Self, value: Double) -> SQLExpression { column > decimal(value) }

    /// Whether the column's value is greater or equal.
    public static func >= (column: Self, value: Double) -> SQLExpression { column >= decimal(value) }

    /// Whether the column's value is equal.
    public static func == (column: Self, value: Int) -> SQLExpression { column == Decimal(value) }

    /// Whether the column's value differs.
    public static func != (column: Self, value: Int) -> SQLExpression { column != Decimal(value) }

    /// Whether the column's value is less.
    public static func < (column: Self, value: Int) -> SQLExpression { column < Decimal(value) }

    /// Whether the column's value is less or equal.
    public static func <= (column: Self, value: Int) -> SQLExpression { column <= Decimal(value) }

    /// Whether the column's value is greater.
    public static func > (column: Self, value: Int) -> SQLExpression { column > Decimal(value) }

    /// Whether the column's value is greater or equal.
    public static func >= (column: Self, value: Int) -> SQLExpression { column >= Decimal(value) }

    // A literal on the left.

    /// Whether the column's value is equal.
    public static func == (value: Double, column: Self) -> SQLExpression { column == value }

    /// Whether the column's value differs.
    public static func != (value: Double, column: Self) -> SQLExpression { column != value }

    /// Whether the column's value is greater.
    public static func < (value: Double, column: Self) -> SQLExpression { column > value }

    /// Whether the column's value is greater or equal.
    public static func <= (value: Double, column: Self) -> SQLExpression { column >= value }

    /// Whether the column's value is less.
    public static func > (value: Double, column: Self) -> SQLExpression { column < value }

    /// Whether the column's value is less or equal.
    public static func >= (value: Double, column: Self) -> SQLExpression { column <= value }

    /// Whether the column's value is equal.
    public static func == (value: Int, column: Self) -> SQLExpression { column == value }

    /// Whether the column's value differs.
    public static func != (value: Int, column: Self) -> SQLExpression { column != value }

    /// Whether the column's value is greater.
    public static func < (value: Int, column: Self) -> SQLExpression { column > value }

    /// Whether the column's value is greater or equal.
    public static func <= (value: Int, column: Self) -> SQLExpression { column >= value }

    /// Whether the column's value is less.
    public static func > (value: Int, column: Self) -> SQLExpression { column < value }

    /// Whether the column's value is less or equal.
    public static func >= (value: Int, column: Self) -> SQLExpression { column <= value }

    /// The column's value, or another if it is NULL.
    public static func ?? (column: Self, value: Double) -> SQLExpression { ifNull(column, value: decimal(value)) }

    /// The column's value, or another if it is NULL.
    public static func ?? (column: Self, value: Int) -> SQLExpression { ifNull(column, value: Decimal(value)) }

    /// Sets the column, for GRDB's `updateAll`.
    public func set(to value: Double) -> ColumnAssignment { set(to: Self.decimal(value)) }

    /// Sets the column, for GRDB's `updateAll`.
    public func set(to value: Int) -> ColumnAssignment { set(to: Decimal(value)) }
}

// So do ranges of literals.

extension ClosedRange where Bound == Int {
    /// Whether the column's value is in the range, including both ends.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column <= upperBound
    }
}

extension ClosedRange where Bound == Double {
    /// Whether the column's value is in the range, including both ends.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column <= upperBound
    }
}

extension Range where Bound == Int {
    /// Whether the column's value is in the range, excluding the upper bound.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}

extension Range where Bound == Double {
    /// Whether the column's value is in the range, excluding the upper bound.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}

/// The greatest value of a column. Decimals are compared as numbers, not as text.
public func max<Value>(_ column: AttributeColumn<Value>) -> SQLExpression { GRDB.max(column.comparable) }

/// The least value of a column. Decimals are compared as numbers, not as text.
public func min<Value>(_ column: AttributeColumn<Value>) -> SQLExpression { GRDB.min(column.comparable) }
