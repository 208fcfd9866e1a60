public import Foundation
public import GRDB

/// The type of a number that a literal has before it is a `Decimal`.
public protocol DecimalLiteral: LosslessStringConvertible {}

extension Int: DecimalLiteral {}

extension Double: DecimalLiteral {}

extension DecimalLiteral {
    /// The number that the literal shows: 0.1 is a tenth.
    fileprivate var decimal: Decimal {
        Decimal(exactly: description) ?? (self as? Double).map { Decimal($0) } ?? .nan
    }
}

// A literal is a `Double` or an `Int` before it is a `Decimal`, and GRDB would compare it without conversion, which is
// wrong for digits stored as text. So a decimal's column has its own operators for literals.
extension AttributeColumn where Value == Decimal {
    /// Whether the column's value is equal.
    public static func == <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        column == value.decimal
    }

    /// Whether the column's value is different.
    public static func != <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        column != value.decimal
    }

    /// Whether the column's value is less.
    public static func < <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        column < value.decimal
    }

    /// Whether the column's value is less or equal.
    public static func <= <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        column <= value.decimal
    }

    /// Whether the column's value is greater.
    public static func > <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        column > value.decimal
    }

    /// Whether the column's value is greater or equal.
    public static func >= <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        column >= value.decimal
    }

    // A literal on the left.

    /// Whether the column's value is equal.
    public static func == <Literal: DecimalLiteral>(value: Literal, column: Self) -> SQLExpression {
        column == value.decimal
    }

    /// Whether the column's value is different.
    public static func != <Literal: DecimalLiteral>(value: Literal, column: Self) -> SQLExpression {
        column != value.decimal
    }

    /// Whether the column's value is greater.
    public static func < <Literal: DecimalLiteral>(value: Literal, column: Self) -> SQLExpression {
        column > value.decimal
    }

    /// Whether the column's value is greater or equal.
    public static func <= <Literal: DecimalLiteral>(value: Literal, column: Self) -> SQLExpression {
        column >= value.decimal
    }

    /// Whether the column's value is less.
    public static func > <Literal: DecimalLiteral>(value: Literal, column: Self) -> SQLExpression {
        column < value.decimal
    }

    /// Whether the column's value is less or equal.
    public static func >= <Literal: DecimalLiteral>(value: Literal, column: Self) -> SQLExpression {
        column <= value.decimal
    }

    /// The column's value, or another if it is NULL.
    public static func ?? <Literal: DecimalLiteral>(column: Self, value: Literal) -> SQLExpression {
        ifNull(column, value: value.decimal)
    }

    /// Sets the column, for GRDB's `updateAll`.
    public func set<Literal: DecimalLiteral>(to value: Literal) -> ColumnAssignment { set(to: value.decimal) }
}

// So do ranges of literals.

extension ClosedRange where Bound: DecimalLiteral {
    /// Whether the column's value is in the range, including both ends.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column <= upperBound
    }
}

extension Range where Bound: DecimalLiteral {
    /// Whether the column's value is in the range, excluding the upper bound.
    public func contains(_ column: AttributeColumn<Decimal>) -> SQLExpression {
        column >= lowerBound && column < upperBound
    }
}

/// The greatest value of a column. Decimals are compared as numbers, not as text.
public func max<Value>(_ column: AttributeColumn<Value>) -> SQLExpression { GRDB.max(column.comparable) }

/// The least value of a column. Decimals are compared as numbers, not as text.
public func min<Value>(_ column: AttributeColumn<Value>) -> SQLExpression { GRDB.min(column.comparable) }
