import Foundation

/// An exact sum of integers and decimals, which cannot overflow and does not depend on the order.
///
/// Digits are added in groups of nine, each with room for about nine thousand million additions without a carry.
/// Carries are applied when the sum is read.
struct ExactSum: Sendable {
    private static let groupDigits = 9
    private static let base: Int64 = 1_000_000_000
    /// Groups after the decimal point: a decimal has at most 128 digits there.
    private static let fractionGroups = 15
    /// Groups before the decimal point: a decimal has at most 166 digits there, and the sum of very many a few more.
    private static let wholeGroups = 22

    private var groups = [Int64](repeating: 0, count: fractionGroups + wholeGroups)

    mutating func add(_ number: Int64) {
        var rest = number.magnitude
        var index = Self.fractionGroups
        while rest > 0 {
            let group = Int64(rest % UInt64(Self.base))
            groups[index] += number < 0 ? -group : group
            rest /= UInt64(Self.base)
            index += 1
        }
    }

    /// Adds digits with an optional sign and fraction, in the encoding of stored decimals.
    ///
    /// - Returns: Whether the text is valid. Otherwise, nothing was added.
    mutating func add(digits text: String) -> Bool {
        var text = text
        return text.withUTF8 { add(digits: $0) }
    }

    private mutating func add(digits text: UnsafeBufferPointer<UInt8>) -> Bool {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text[(isNegative ? 1 : 0)...]
        let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
        let whole = digits[..<point]
        let fraction = digits[point...].dropFirst()
        guard !whole.isEmpty, point == digits.endIndex || !fraction.isEmpty,
            whole.count <= (Self.wholeGroups - 3) * Self.groupDigits,
            fraction.count <= Self.fractionGroups * Self.groupDigits,
            whole.allSatisfy(Self.isDigit), fraction.allSatisfy(Self.isDigit)
        else { return false }
        let sign: Int64 = isNegative ? -1 : 1
        var index = Self.fractionGroups
        var end = whole.endIndex
        while end > whole.startIndex {
            let start = max(whole.startIndex, end - Self.groupDigits)
            groups[index] += sign * Self.number(whole[start..<end])
            (end, index) = (start, index + 1)
        }
        index = Self.fractionGroups - 1
        var start = fraction.startIndex
        while start < fraction.endIndex {
            let end = min(fraction.endIndex, start + Self.groupDigits)
            var group = Self.number(fraction[start..<end])
            for _ in 0..<(Self.groupDigits - (end - start)) { group *= 10 }
            groups[index] += sign * group
            (start, index) = (end, index - 1)
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64 {
        digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// The sum in plain notation, without exponent and unnecessary zeros.
    var text: String {
        var (carried, isNegative) = Self.carried(groups)
        if isNegative { carried = Self.carried(groups.map { -$0 }).groups }
        let digits = carried.map { group in
            let text = String(group)
            return String(repeating: "0", count: Self.groupDigits - text.count) + text
        }
        let whole = digits[Self.fractionGroups...].reversed().joined().drop { $0 == "0" }
        let fraction = digits[..<Self.fractionGroups].reversed().joined()
        let end = fraction.lastIndex { $0 != "0" }.map { fraction.index(after: $0) } ?? fraction.startIndex
        let sign = isNegative ? "-" : ""
        let point = end > fraction.startIndex ? "." : ""
        return sign + (whole.isEmpty ? "0" : whole) + point + fraction[..<end]
    }

    /// Groups of nine digits each, none negative unless the sum is.
    private static func carried(_ groups: [Int64]) -> (groups: [Int64], isNegative: Bool) {
        var carry: Int64 = 0
        let carried = groups.map { group in
            let value = group + carry
            carry = value / base - (value % base < 0 ? 1 : 0)
            return value - carry * base
        }
        return (carried, carry < 0)
    }
}

/// A sum of doubles whose error does not grow with their number (Neumaier 1974).
struct CompensatedSum: Sendable {
    private var sum = 0.0
    private var compensation = 0.0

    mutating func add(_ number: Double) {
        let total = sum + number
        // The lost part of the smaller one is collected.
        compensation += abs(sum) >= abs(number) ? (sum - total) + number : (number - total) + sum
        sum = total
    }

    /// The sum; infinite if it exceeds the range of a double.
    var value: Double { sum.isFinite ? sum + compensation : sum }
}
