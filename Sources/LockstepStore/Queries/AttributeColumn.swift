import Foundation
public import GRDB

/// A column of an entity's table that knows its values' type, for GRDB's query interface.
///
/// Its comparisons write the value as the column keeps it (a UUID as lower-case text, a date as seconds, a decimal by
/// its digits), which is not always how GRDB would.
public struct AttributeColumn<Value: AttributeValue>: ColumnExpression, Sendable {
    /// The column's name in SQL, unquoted.
    public let name: String

    public init(_ name: String) { self.name = name }

    fileprivate var column: Column { Column(SQLName.forGRDB(name)) }

    public var sqlExpression: SQLExpression { column.sqlExpression }

    /// Whether the value is equal; `nil` is equal to NULL.
    public static func == (column: Self, value: Value?) -> SQLExpression {
        column.column == stored(value)
    }

    /// Whether the value differs. As in SQL, NULL is neither equal to a value nor does it differ from one; compare with
    /// `nil` to find it.
    public static func != (column: Self, value: Value?) -> SQLExpression {
        column.column != stored(value)
    }

    // Without these two, Swift would rather take GRDB's operators for a value that is not optional.

    /// Whether the value is equal.
    public static func == (column: Self, value: Value) -> SQLExpression {
        column.column == value.storedExpression
    }

    /// Whether the value differs.
    public static func != (column: Self, value: Value) -> SQLExpression {
        column.column != value.storedExpression
    }

    /// Whether the column's value is less.
    public static func < (column: Self, value: Value) -> SQLExpression {
        column.comparable < value.comparableExpression
    }

    /// Whether the column's value is less or equal.
    public static func <= (column: Self, value: Value) -> SQLExpression {
        column.comparable <= value.comparableExpression
    }

    /// Whether the column's value is greater.
    public static func > (column: Self, value: Value) -> SQLExpression {
        column.comparable > value.comparableExpression
    }

    /// Whether the column's value is greater or equal.
    public static func >= (column: Self, value: Value) -> SQLExpression {
        column.comparable >= value.comparableExpression
    }

    /// Whether the value is one of these.
    public func isIn(_ values: some Sequence<Value>) -> SQLExpression {
        values.map(\.storedExpression).contains(column)
    }

    /// Whether the value lies in the range, its ends included.
    public func between(_ range: ClosedRange<Value>) -> SQLExpression where Value: Comparable {
        comparable >= range.lowerBound.comparableExpression && comparable <= range.upperBound.comparableExpression
    }

    // Ordering is by the value: digits kept as text would sort 10 before 9.

    public var sqlOrdering: SQLOrdering { comparable.sqlOrdering }

    /// An ordering from the least value up, NULL first.
    public var asc: AttributeOrdering { ordering(isDescending: false) }

    /// An ordering from the greatest value down, NULL last.
    public var desc: AttributeOrdering { ordering(isDescending: true) }

    private func ordering(isDescending: Bool) -> AttributeOrdering {
        AttributeOrdering(
            column: name, isDescending: isDescending, sqlOrdering: isDescending ? comparable.desc : comparable.asc)
    }

    /// What is compared and ordered by.
    var comparable: SQLExpression {
        Value.placeholder.isKeptAsDigits ? Self.number(column.sqlExpression) : column.sqlExpression
    }

    static func number(_ expression: SQLExpression) -> SQLExpression {
        SQL("CAST(\(expression) AS NUMERIC)").sqlExpression
    }

    /// The column as it is kept.
    var stored: SQLExpression { column.sqlExpression }

    // Not with `??`, which GRDB makes an IFNULL of: nothing is equal to that, not even NULL.

    /// A value as the column keeps it.
    static func stored(_ value: Value?) -> SQLExpression {
        guard let value else { return DatabaseValue.null.sqlExpression }
        return value.storedExpression
    }

    /// A value as it is compared.
    static func comparable(_ value: Value?) -> SQLExpression {
        guard let value else { return DatabaseValue.null.sqlExpression }
        return value.comparableExpression
    }
}

extension AttributeColumn where Value: StringProtocol {
    /// Whether the text begins with another, letter case counting.
    public func hasPrefix(_ prefix: String) -> SQLExpression {
        // By bytes, as SQLite's functions for texts end at NUL.
        let bytes = Data(prefix.utf8)
        return SQL("substr(CAST(\(column) AS BLOB), 1, \(bytes.count)) = \(bytes)").sqlExpression
    }

    /// Whether the text has another in it, letter case counting.
    public func contains(_ part: String) -> SQLExpression {
        SQL("instr(CAST(\(column) AS BLOB), \(Data(part.utf8))) > 0").sqlExpression
    }
}

extension Sequence where Element: AttributeValue {
    /// Whether the column's value is one of these, each written as the column keeps it.
    public func contains(_ column: AttributeColumn<Element>) -> SQLExpression { column.isIn(self) }
}

extension AttributeValue {
    /// Decimals are kept as text, and compared as numbers.
    var isKeptAsDigits: Bool {
        self is Decimal || (self as? any CustomAttribute).map { $0.isStoredAsDigits } ?? false
    }

    fileprivate var comparableExpression: SQLExpression {
        isKeptAsDigits ? AttributeColumn<Self>.number(storedValue.sqlExpression) : storedExpression
    }

    /// The value as the column keeps it.
    fileprivate var storedExpression: SQLExpression { storedValue.wholeExpression }
}

extension DatabaseValue {
    /// The value in SQL. A text with NUL in it is written as bytes: GRDB would bind it up to there.
    var wholeExpression: SQLExpression {
        guard case .string(let text) = storage, text.utf8.contains(0) else { return sqlExpression }
        return SQL("CAST(\(Data(text.utf8)) AS TEXT)").sqlExpression
    }
}

extension CustomAttribute {
    fileprivate var isStoredAsDigits: Bool { stored is Decimal }
}

/// An ordering by one column: `\.timestamp.desc`, for GRDB's `order` and for pages by key.
public struct AttributeOrdering: SQLOrderingTerm, Sendable {
    /// The column's name in SQL, unquoted.
    let column: String
    let isDescending: Bool
    public let sqlOrdering: SQLOrdering
}
