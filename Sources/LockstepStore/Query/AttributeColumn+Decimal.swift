public import Foundation
public import GRDB

// A literal is a `Double` or an `Int` before it is a `Decimal`, and GRDB compares those as they are: with digits kept
// as text, the wrong way. So a decimal's column takes them itself.
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
}

/// The greatest value of a column; of decimals by number, not by their digits.
public func max<Value>(_ column: AttributeColumn<Value>) -> SQLExpression { GRDB.max(column.comparable) }

/// The least value of a column; of decimals by number, not by their digits.
public func min<Value>(_ column: AttributeColumn<Value>) -> SQLExpression { GRDB.min(column.comparable) }
