public import Foundation
public import GRDB

/// What was added up of a column's values. The store makes it; a type takes its sum or average from it.
public struct AttributeTotal: Sendable {
    /// How many values were added.
    fileprivate(set) var count = 0
    /// The sum of whole numbers and decimals.
    fileprivate var exact = ExactSum()
    /// The sum of numbers with a floating point.
    fileprivate var floating = CompensatedSum()

    fileprivate mutating func add(_ value: DatabaseValue) -> Bool {
        switch value.storage {
        case .int64(let number): exact.add(number)
        case .string(let text):
            // As the store writes decimals, and short enough that every one is a decimal; else it is looked at closely.
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

    /// As a value of the type is read, without making one where that takes time.
    mutating func add<Value: AverageableAttribute>(_ value: DatabaseValue, as type: Value.Type) -> Bool {
        count += 1
        return type.add(value, to: &self)
    }

    fileprivate var wholeNumber: Int64? { Int64(exact.text) }
    fileprivate var decimal: Decimal? { Decimal(exactly: exact.text) }
    fileprivate var double: Double? { floating.value.isFinite ? floating.value : nil }
    fileprivate var meanDouble: Double? { double.map { $0 / Double(count) } }
}

/// A value of which averages can be made. The schema's numbers and dates conform; there is no reason to conform another
/// type, as a type of your own is averaged as what it is kept as.
public protocol AverageableAttribute: AttributeValue {
    /// What an average is given as.
    associatedtype Average: Sendable

    /// Adds what a column holds; `false` where that is no such value.
    static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool

    /// The average of what was added, which is something; `nil` where the type cannot hold it.
    static func average(of total: AttributeTotal) -> Average?
}

/// A value of which sums can be made. The schema's numbers conform; there is no reason to conform another type, as a
/// type of your own is summed as what it is kept as.
public protocol SummableAttribute: AverageableAttribute {
    /// What a sum is given as.
    associatedtype Sum: Sendable

    /// The sum of what was added; `nil` where the type cannot hold it.
    static func sum(of total: AttributeTotal) -> Sum?
}

// MARK: Whole numbers

extension SummableAttribute where Self: FixedWidthInteger {
    public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        Self(storedValue: storedValue) != nil && total.add(storedValue)
    }

    public static func average(of total: AttributeTotal) -> Double? {
        Double(total.exact.text).map { $0 / Double(total.count) }
    }
}

extension Int: SummableAttribute {
    public static func sum(of total: AttributeTotal) -> Int? { total.wholeNumber.flatMap(Int.init(exactly:)) }
}

extension Int16: SummableAttribute {
    public static func sum(of total: AttributeTotal) -> Int? { total.wholeNumber.flatMap(Int.init(exactly:)) }
}

extension Int32: SummableAttribute {
    public static func sum(of total: AttributeTotal) -> Int? { total.wholeNumber.flatMap(Int.init(exactly:)) }
}

extension Int64: SummableAttribute {
    public static func sum(of total: AttributeTotal) -> Int64? { total.wholeNumber }
}

// MARK: Decimals

extension Decimal: SummableAttribute {
    public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        total.add(storedValue)
    }

    public static func sum(of total: AttributeTotal) -> Decimal? { total.decimal }

    /// The average, rounded to the digits that a decimal holds.
    public static func average(of total: AttributeTotal) -> Decimal? { total.decimal.map { $0 / Decimal(total.count) } }
}

// MARK: Numbers with a floating point, and dates

extension AverageableAttribute where Self: BinaryFloatingPoint {
    public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        guard let number = Double(storedValue: storedValue) else { return false }
        total.floating.add(number)
        return true
    }

    public static func average(of total: AttributeTotal) -> Double? { total.meanDouble }
}

extension Double: SummableAttribute {
    public static func sum(of total: AttributeTotal) -> Double? { total.double }
}

extension Float: SummableAttribute {
    public static func sum(of total: AttributeTotal) -> Double? { total.double }
}

extension Date: AverageableAttribute {
    public static func add(_ storedValue: DatabaseValue, to total: inout AttributeTotal) -> Bool {
        Double.add(storedValue, to: &total)
    }

    public static func average(of total: AttributeTotal) -> Date? {
        total.meanDouble.map { Date(timeIntervalSince1970: $0).roundedToStore }
    }
}
