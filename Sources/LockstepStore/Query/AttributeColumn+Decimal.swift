public import Foundation
public import GRDB

// A literal is a `Double` or an `Int` before it is a `Decimal`, and GRDB compares those as they are: with digits kept as
// text, the wrong way. So a decimal's column takes them itself.
extension AttributeColumn where Value == Decimal {
    private static func decimal(_ value: Double) -> Decimal { Decimal(exactly: value.description) ?? Decimal(value) }

    public static func == (column: Self, value: Double) -> SQLExpression { column == decimal(value) }

    public static func != (column: Self, value: Double) -> SQLExpression { column != decimal(value) }

    public static func < (column: Self, value: Double) -> SQLExpression { column < decimal(value) }

    public static func <= (column: Self, value: Double) -> SQLExpression { column <= decimal(value) }

    public static func > (column: Self, value: Double) -> SQLExpression { column > decimal(value) }

    public static func >= (column: Self, value: Double) -> SQLExpression { column >= decimal(value) }

    public static func == (column: Self, value: Int) -> SQLExpression { column == Decimal(value) }

    public static func != (column: Self, value: Int) -> SQLExpression { column != Decimal(value) }

    public static func < (column: Self, value: Int) -> SQLExpression { column < Decimal(value) }

    public static func <= (column: Self, value: Int) -> SQLExpression { column <= Decimal(value) }

    public static func > (column: Self, value: Int) -> SQLExpression { column > Decimal(value) }

    public static func >= (column: Self, value: Int) -> SQLExpression { column >= Decimal(value) }
}
