import Foundation
import GRDB
internal import GRDBSQLite
import LockstepEvolution

/// `lockstep_convert(value, from, to)`: the value as one of another type; NULL if it cannot be one. With a fourth
/// argument, that is the result instead, but not of NULL.
///
/// It is called for each row, so it is not one of GRDB's functions, which copy their arguments. Numbers as people write
/// them are converted without making a text.
final class ConversionFunction {
    private let conversion: ValueConversion
    private let kind: Kind

    /// The kinds of conversions that are fast if the value is a text.
    private enum Kind {
        case decimal, double, other
    }

    static func add(to database: Database) {
        for count in [3, 4] as [Int32] {
            // It fails only without memory, and then so does the statement that calls it.
            _ = sqlite3_create_function_v2(
                database.sqliteConnection, "lockstep_convert", count, SQLiteFunction.flags | SQLITE_DETERMINISTIC, nil,
                { context, count, values in
                    guard let context, let values else { return }
                    ConversionFunction.of(context, values: values).run(context, values: values, count: Int(count))
                }, nil, nil, nil)
        }
    }

    /// That of a call in a statement: the types are parsed once.
    private static func of(
        _ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>
    ) -> ConversionFunction {
        if let known = sqlite3_get_auxdata(context, 1) {
            return Unmanaged<ConversionFunction>.fromOpaque(known).takeUnretainedValue()
        }
        let function = ConversionFunction(
            from: SQLiteValue.text(values[1]) ?? "", to: SQLiteValue.text(values[2]) ?? "")
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(function).toOpaque()) { function in
            if let function { Unmanaged<ConversionFunction>.fromOpaque(function).release() }
        }
        return function
    }

    private init(from: String, to: String) {
        conversion = ValueConversion(from: from, to: to)
        kind = to == "decimal" ? .decimal : to == "double" ? .double : .other
    }

    private func run(_ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>, count: Int) {
        guard let value = values[0], sqlite3_value_type(value) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        if isDone(value, in: context) { return }
        let result = conversion.value(SQLiteValue.read(value))
        if result.isNull, count == 4 { return sqlite3_result_value(context, values[3]) }
        SQLiteValue.give(result, in: context)
    }

    // MARK: Numbers

    /// Converts a text that is a number without spaces, exponent and other rarities.
    ///
    /// - Returns: Whether it was one; otherwise there is no result yet.
    private func isDone(_ value: OpaquePointer, in context: OpaquePointer) -> Bool {
        guard kind != .other, sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value),
            let number = PlainNumber(UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
        else { return false }
        switch kind {
        case .decimal:
            if number.length == number.canonicalLength {
                sqlite3_result_value(context, value)
            } else {
                text.withMemoryRebound(to: CChar.self, capacity: number.length) {
                    sqlite3_result_text(context, $0, Int32(number.canonicalLength), SQLiteValue.isCopied)
                }
            }
        case .double: sqlite3_result_double(context, number.value)
        case .other: return false
        }
        return true
    }
}

/// A number in a text of at most 15 digits, with or without a fraction: `-12.50`.
struct PlainNumber {
    let length: Int
    /// The length without zeros at the end of the fraction.
    let canonicalLength: Int
    let value: Double

    /// These are exact, so that dividing by one rounds once, as reading the text does.
    private static let powers: [Double] = (0...15).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        let (zero, point) = (UInt8(ascii: "0"), UInt8(ascii: "."))
        guard bytes.count > start, bytes.count <= 16, bytes[start] != point, bytes[bytes.count - 1] != point else {
            return nil
        }
        // Zeros at the beginning are none of a canonical number, but for the one before the point.
        if bytes[start] == zero, bytes.count > start + 1, bytes[start + 1] != point { return nil }
        var (digits, count, pointIndex) = (0 as Int64, 0, nil as Int?)
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == point, pointIndex == nil {
                pointIndex = index
            } else if byte >= zero, byte <= zero + 9 {
                digits = digits * 10 + Int64(byte - zero)
                count += 1
            } else {
                return nil
            }
        }
        guard count <= 15, digits != 0 || !isNegative else { return nil }
        length = bytes.count
        var end = bytes.count
        if let pointIndex {
            while bytes[end - 1] == zero { end -= 1 }
            if end - 1 == pointIndex { end -= 1 }
        }
        canonicalLength = end
        let fraction = pointIndex.map { bytes.count - 1 - $0 } ?? 0
        let number = Double(digits) / Self.powers[fraction]
        value = isNegative ? -number : number
    }
}
