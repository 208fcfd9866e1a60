import Foundation
public import GRDB

/// A column of an entity's table that knows its values' type, for GRDB's query interface.
///
/// Its comparisons write the value as the column keeps it (a UUID as lower-case text, a date as seconds, a decimal by its
/// digits), which is not always how GRDB would.
public struct AttributeColumn<Value: AttributeValue>: ColumnExpression, Sendable {
    /// The column's name in SQL, unquoted.
    public let name: String

    public init(_ name: String) { self.name = name }

    /// Whether the value is equal; `nil` is equal to NULL.
    public static func == (column: Self, value: Value?) -> SQLExpression {
        Column(column.name) == (value?.storedValue ?? .null)
    }

    /// Whether the value differs. As in SQL, NULL is neither equal to a value nor does it differ from one; compare with
    /// `nil` to find it.
    public static func != (column: Self, value: Value?) -> SQLExpression {
        Column(column.name) != (value?.storedValue ?? .null)
    }

    // Without these two, Swift would rather take GRDB's operators for a value that is not optional.

    /// Whether the value is equal.
    public static func == (column: Self, value: Value) -> SQLExpression { Column(column.name) == value.storedValue }

    /// Whether the value differs.
    public static func != (column: Self, value: Value) -> SQLExpression { Column(column.name) != value.storedValue }

    public static func < (column: Self, value: Value) -> SQLExpression {
        column.comparable < value.comparableExpression
    }

    public static func <= (column: Self, value: Value) -> SQLExpression {
        column.comparable <= value.comparableExpression
    }

    public static func > (column: Self, value: Value) -> SQLExpression {
        column.comparable > value.comparableExpression
    }

    public static func >= (column: Self, value: Value) -> SQLExpression {
        column.comparable >= value.comparableExpression
    }

    /// Whether the value is one of these.
    public func isIn(_ values: some Sequence<Value>) -> SQLExpression {
        values.map(\.storedValue).contains(Column(name))
    }

    /// Whether the value lies in the range, its ends included.
    public func between(_ range: ClosedRange<Value>) -> SQLExpression where Value: Comparable {
        comparable >= range.lowerBound.comparableExpression && comparable <= range.upperBound.comparableExpression
    }

    private var comparable: SQLExpression {
        Value.placeholder.isKeptAsDigits ? Self.number(Column(name).sqlExpression) : Column(name).sqlExpression
    }

    fileprivate static func number(_ expression: SQLExpression) -> SQLExpression {
        SQL("CAST(\(expression) AS NUMERIC)").sqlExpression
    }
}

extension AttributeColumn where Value: StringProtocol {
    /// Whether the text begins with another, letter case counting.
    public func hasPrefix(_ prefix: String) -> SQLExpression {
        SQL("substr(\(Column(name)), 1, length(\(prefix))) = \(prefix)").sqlExpression
    }

    /// Whether the text has another in it, letter case counting.
    public func contains(_ part: String) -> SQLExpression {
        SQL("instr(\(Column(name)), \(part)) > 0").sqlExpression
    }
}

extension Sequence where Element: AttributeValue {
    /// Whether the column's value is one of these, each written as the column keeps it.
    public func contains(_ column: AttributeColumn<Element>) -> SQLExpression { column.isIn(self) }
}

extension AttributeValue {
    /// Decimals are kept as text, and compared as numbers.
    fileprivate var isKeptAsDigits: Bool {
        self is Decimal || (self as? any CustomAttribute).map { $0.isStoredAsDigits } ?? false
    }

    fileprivate var comparableExpression: SQLExpression {
        isKeptAsDigits ? AttributeColumn<Self>.number(storedValue.sqlExpression) : storedValue.sqlExpression
    }
}

extension CustomAttribute {
    fileprivate var isStoredAsDigits: Bool { stored is Decimal }
}
