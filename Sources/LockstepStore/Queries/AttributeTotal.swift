public import Foundation
public import GRDB

/// An accumulator of a column's values. The store creates it; a type computes its sum or average from it.
public struct AttributeTotal: Sendable {
    /// The number of values.
    fileprivate(set) var count = 0
    /// The sum of integers and decimals.
    fileprivate var exact = ExactSum()
    /// The sum of floating-point numbers.
    fileprivate var floating = CompensatedSum()

    fileprivate mutating func add(_ value: DatabaseValue) -> Bool {
        switch value.storage {
        case .int64(let number): exact.add(number)
        case .string(let text):
            // As the store encodes decimals, and so short that each is valid; others are parsed.
            if text.utf8.count > 38 || !exact.add(digits: text) {
                guard let digits = Decimal(exactly: text)?.storedText, exact.add(digits: digits) else { return false }
            }
        case .double(let number):
            guard let digits = Decimal(exactly: number.description)?.storedText, exact.add(digits: digits) else {
                return false
            }
        default: return false
        }
        return true
    }

    /// Adds a value as the type reads it, without creating an instance if that is slow.
    mutating func add<Value: AverageableAttribute>(_ value: DatabaseValue, as type: Value.Type) -> Bool {
        count += 1
        return type.add(value, to: &self)
    }

    fileprivate var wholeNumber: Int64? { Int64(exact.text) }
    fileprivate var decimal: Decimal? { Decimal(exactly: exact.text) }
    fileprivate var double: Double? { floating.value.isFinite ? floating.value : nil }
    fileprivate var meanDouble: Double? { double.map { $0 / Double(count) } }
}

/// A value that can be averaged. The schema's numbers and dates conform. Do not conform other types: a type of the app
/// is averaged as what it is stored as.
public protocol AverageableAttribute: AttributeValue {
    /// The type of an average.
    associatedtype Average: Sendable

    /// Adds the value of a column; `false` if it is not a value of the type.
    static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool

    /// The average of the values, of which there is at least one; `nil` if the type cannot represent it.
    static func average(of total: AttributeTotal) -> Average?
}

/// A value that can be summed. The schema's numbers conform. Do not conform other types: a type of the app is summed as
/// what it is stored as.
public protocol SummableAttribute: AverageableAttribute {
    /// The type of a sum.
    associatedtype Sum: Sendable

    /// The sum of the values; `nil` if the type cannot represent it.
    static func sum(of total: AttributeTotal) -> Sum?
}

// MARK: Integers

extension SummableAttribute where Self: FixedWidthInteger {
    @_spi(Requirements) public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        Self(storedValue: storedValue) != nil && total.add(storedValue)
    }

    @_spi(Requirements) public static func average(of total: AttributeTotal) -> Double? {
        Double(total.exact.text).map { $0 / Double(total.count) }
    }
}

extension Int: SummableAttribute {
    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Int? {
        total.wholeNumber.flatMap(Int.init(exactly:))
    }
}

extension Int16: SummableAttribute {
    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Int? {
        total.wholeNumber.flatMap(Int.init(exactly:))
    }
}

extension Int32: SummableAttribute {
    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Int? {
        total.wholeNumber.flatMap(Int.init(exactly:))
    }
}

extension Int64: SummableAttribute {
    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Int64? { total.wholeNumber }
}

// MARK: Decimals

extension Decimal: SummableAttribute {
    @_spi(Requirements) public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        total.add(storedValue)
    }

    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Decimal? { total.decimal }

    /// The average, rounded to the precision of a decimal.
    @_spi(Requirements) public static func average(of total: AttributeTotal) -> Decimal? {
        total.decimal.map { $0 / Decimal(total.count) }
    }
}

// MARK: Floating-point numbers and dates

extension AverageableAttribute where Self: BinaryFloatingPoint {
    @_spi(Requirements) public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        guard let number = Double(storedValue: storedValue) else { return false }
        total.floating.add(number)
        return true
    }

    @_spi(Requirements) public static func average(of total: AttributeTotal) -> Double? { total.meanDouble }
}

extension Double: SummableAttribute {
    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Double? { total.double }
}

extension Float: SummableAttribute {
    @_spi(Requirements) public static func sum(of total: AttributeTotal) -> Double? { total.double }
}

extension Date: AverageableAttribute {
    @_spi(Requirements) public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        Double.add(storedValue, to: &total)
    }

    @_spi(Requirements) public static func average(of total: AttributeTotal) -> Date? {
        total.meanDouble.map { Date(timeIntervalSince1970: $0).roundedToStore }
    }
}
