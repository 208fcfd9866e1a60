/// Parses a number's digits without creating a number.
///
/// The number is `significand` × 10^`exponent` if all its digits fit (`isExact`).
package struct NumberDigits {
    package let bytes: UnsafeBufferPointer<UInt8>
    package private(set) var isNegative = false
    /// The digits without leading and trailing zeros, as far as they fit.
    package private(set) var significand: UInt64 = 0
    package private(set) var exponent = 0
    /// The number of digits without leading and trailing zeros.
    package private(set) var significantDigits = 0
    /// Whether it is in the encoding of stored decimals: no exponent, no sign but a minus, no unnecessary zeros.
    package private(set) var isCanonical = true

    /// Ten to the nineteenth is the greatest power that fits into 64 bits, so this many digits always fit.
    private static let exactDigits = 19

    package var isExact: Bool { significantDigits <= Self.exactDigits }

    /// `nil` if the bytes are not a number: `-12.50e3`. Numeric text may have a plus and zeros at its beginning.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var index = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            isCanonical = isNegative
            index += 1
        }
        var pendingZeros = 0
        let whole = take(digitsFrom: &index, pendingZeros: &pendingZeros)
        guard whole > 0 else { return nil }
        if whole > 1, bytes[index - whole] == UInt8(ascii: "0") { isCanonical = false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = take(digitsFrom: &index, pendingZeros: &pendingZeros)
            guard fraction > 0 else { return nil }
            if bytes[index - 1] == UInt8(ascii: "0") { isCanonical = false }
            exponent = -fraction
        }
        if index < bytes.count {
            guard bytes[index] | 0x20 == UInt8(ascii: "e"), takeExponent(index + 1) else { return nil }
            isCanonical = false
        }
        exponent += pendingZeros
        if significantDigits == 0, isNegative { isCanonical = false }
    }

    /// Parses digits, and returns their number. Zeros count once another digit follows them.
    private mutating func take(digitsFrom index: inout Int, pendingZeros: inout Int) -> Int {
        let first = index
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            index += 1
            if digit == 0 {
                pendingZeros += 1
                continue
            }
            significantDigits += significantDigits == 0 ? 1 : pendingZeros + 1
            if isExact {
                let shift = significand == 0 ? 0 : pendingZeros
                significand = significand &* PowerOfTen.whole[shift + 1] &+ UInt64(digit)
            }
            pendingZeros = 0
        }
        return index - first
    }

    /// Adds the exponent. One with very many digits counts as a very great one.
    private mutating func takeExponent(_ first: Int) -> Bool {
        var index = first
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        guard index < bytes.count else { return false }
        var value = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return false }
            // Greater ones are as far out of range. `Int` has 32 bits on a watch.
            if value < 100_000_000 { value = value * 10 + Int(digit) }
            index += 1
        }
        exponent += isNegative ? -value : value
        return true
    }

    package var isZero: Bool { significantDigits == 0 }

    /// The number if it is an integer and fits into 64 bits.
    package var wholeNumber: Int64? {
        if isZero { return 0 }
        // Without trailing zeros, a number of 20 digits is a fraction or too great.
        guard isExact, (0..<PowerOfTen.whole.count).contains(exponent) else { return nil }
        let (magnitude, isTooGreat) = significand.multipliedReportingOverflow(by: PowerOfTen.whole[exponent])
        guard !isTooGreat else { return nil }
        if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }

    /// The text. Use it only if there are too many digits for the fast paths.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Powers of ten, by their exponent.
package enum PowerOfTen {
    /// All that fit into 64 bits.
    package static let whole: [UInt64] = powers(20)
    /// All that a `Double` represents exactly.
    package static let double: [Double] = powers(23)
    /// All that a `Float` represents exactly.
    package static let float: [Float] = powers(11)

    private static func powers<Number: Numeric>(_ count: Int) -> [Number] {
        var powers: [Number] = [1]
        while powers.count < count { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }
}
