import Foundation
public import GRDB

/// A column of an entity's table that knows its values' type, for GRDB's query interface.
///
/// Its comparisons encode the value as the column does (a UUID as lowercase text, a date as seconds, a decimal as its
/// digits), which is not always how GRDB would encode it.
public struct AttributeColumn<Value: AttributeValue>: ColumnExpression, Sendable {
    /// The column's name in SQL, unquoted.
    public let name: String

    @_spi(Generated) public init(_ name: String) { self.name = name }

    fileprivate var column: Column { Column(SQLName.forGRDB(name)) }

    @_spi(Requirements) public var sqlExpression: SQLExpression { column.sqlExpression }

    /// Whether the value is equal; `nil` is equal to NULL.
    public static func == (column: Self, value: Value?) -> SQLExpression {
        column.column == stored(value)
    }

    /// Whether the value differs. As in SQL, NULL is neither equal to nor different from a value; compare with `nil` to
    /// find it.
    public static func != (column: Self, value: Value?) -> SQLExpression {
        column.column != stored(value)
    }

    // Without these two, Swift would prefer GRDB's operators for a value that is not optional.

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

    /// Whether the value is in the range, including both ends.
    public func between(_ range: ClosedRange<Value>) -> SQLExpression where Value: Comparable {
        comparable >= range.lowerBound.comparableExpression && comparable <= range.upperBound.comparableExpression
    }

    // Ordering is by value: digits stored as text would sort 10 before 9.

    @_spi(Requirements) public var sqlOrdering: SQLOrdering { comparable.sqlOrdering }

    /// Ascending order, NULL first.
    public var asc: AttributeOrdering { ordering(isDescending: false) }

    /// Descending order, NULL last.
    public var desc: AttributeOrdering { ordering(isDescending: true) }

    private func ordering(isDescending: Bool) -> AttributeOrdering {
        AttributeOrdering(
            column: name, isDescending: isDescending, sqlOrdering: isDescending ? comparable.desc : comparable.asc)
    }

    /// The expression for comparing and ordering.
    var comparable: SQLExpression {
        Value.placeholder.isKeptAsDigits ? Self.number(column.sqlExpression) : column.sqlExpression
    }

    static func number(_ expression: SQLExpression) -> SQLExpression {
        SQL("CAST(\(expression) AS NUMERIC)").sqlExpression
    }

    /// The column as it is stored.
    var stored: SQLExpression { column.sqlExpression }

    // Not with `??`, which GRDB converts to IFNULL: nothing is equal to that, not even NULL.

    /// A value in the encoding of the column.
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
    /// Whether the text begins with another. It is case-sensitive.
    public func hasPrefix(_ prefix: String) -> SQLExpression {
        // By bytes, because SQLite's text functions end at NUL.
        let bytes = Data(prefix.utf8)
        return SQL("substr(CAST(\(column) AS BLOB), 1, \(bytes.count)) = \(bytes)").sqlExpression
    }

    /// Whether the text contains another. It is case-sensitive.
    public func contains(_ part: String) -> SQLExpression {
        SQL("instr(CAST(\(column) AS BLOB), \(Data(part.utf8))) > 0").sqlExpression
    }
}

extension Sequence where Element: AttributeValue {
    /// Whether the column's value is one of these, each in the encoding of the column.
    public func contains(_ column: AttributeColumn<Element>) -> SQLExpression { column.isIn(self) }
}

extension AttributeValue {
    /// Whether values are stored as text and compared as numbers, as decimals are.
    var isKeptAsDigits: Bool {
        self is Decimal || (self as? any CustomAttribute).map { $0.isStoredAsDigits } ?? false
    }

    fileprivate var comparableExpression: SQLExpression {
        isKeptAsDigits ? AttributeColumn<Self>.number(storedValue.sqlExpression) : storedExpression
    }

    /// The value in the encoding of the column.
    fileprivate var storedExpression: SQLExpression { storedValue.wholeExpression }
}

extension DatabaseValue {
    /// The value in SQL. Text with NUL in it is encoded as bytes, because GRDB would truncate it.
    var wholeExpression: SQLExpression {
        guard case .string(let text) = storage, text.utf8.contains(0) else { return sqlExpression }
        return SQL("CAST(\(Data(text.utf8)) AS TEXT)").sqlExpression
    }
}

extension CustomAttribute {
    fileprivate var isStoredAsDigits: Bool { stored is Decimal }
}

/// An ordering by one column: `\.timestamp.desc`, for GRDB's `order` and for keyset pages.
public struct AttributeOrdering: SQLOrderingTerm, Sendable {
    /// The column's name in SQL, unquoted.
    let column: String
    let isDescending: Bool
    @_spi(Requirements) public let sqlOrdering: SQLOrdering
}
