extension NumberDigits {
    /// The `Double` nearest to the number times 10^`shift`; infinite if it is too great.
    ///
    /// If both the digits and the power of ten are exact, one operation rounds once (Clinger, "How to Read Floating
    /// Point Numbers Accurately", 1990). With more digits, an integer division does so.
    package func double(shiftedBy shift: Int = 0) -> Double {
        if isZero { return isNegative ? -0.0 : 0 }
        if isExact, let magnitude = Self.double(significand, exponent: exponent + shift) {
            return isNegative ? -magnitude : magnitude
        }
        return Double(shift == 0 ? text : "\(isNegative ? "-" : "")\(digits)e\(exponent + shift)") ?? .nan
    }

    /// The nearest `Float`, rounded once, not by way of a `Double`.
    package var float: Float {
        if isZero { return isNegative ? -0.0 : 0 }
        if isExact, significand <= 1 << 24, abs(exponent) < PowerOfTen.float.count {
            let power = PowerOfTen.float[abs(exponent)]
            let magnitude = exponent < 0 ? Float(significand) / power : Float(significand) * power
            return isNegative ? -magnitude : magnitude
        }
        return Float(text) ?? .nan
    }

    private static func double(_ significand: UInt64, exponent: Int) -> Double? {
        if significand <= 1 << 53, abs(exponent) < PowerOfTen.double.count {
            let power = PowerOfTen.double[abs(exponent)]
            return exponent < 0 ? Double(significand) / power : Double(significand) * power
        }
        guard abs(exponent) < PowerOfTen.whole.count else { return nil }
        let power = PowerOfTen.whole[abs(exponent)]
        if exponent < 0 { return quotient(significand, divisor: power) }
        let (product, isTooGreat) = significand.multipliedReportingOverflow(by: power)
        return isTooGreat ? nil : Double(product)
    }

    /// The `Double` nearest to a quotient: computes 64 bits of it, and whether there is a remainder.
    private static func quotient(_ dividend: UInt64, divisor: UInt64) -> Double {
        let (dividendShift, divisorShift) = (dividend.leadingZeroBitCount, divisor.leadingZeroBitCount)
        let (high, low) = (dividend << dividendShift, divisor << divisorShift)
        // Halved if necessary, because the quotient must fit into 64 bits; its first bit is set then.
        let isHalved = high >= low
        let (bits, rest) = low.dividingFullWidth(isHalved ? (high >> 1, high << 63) : (high, 0))
        var significand = bits >> 11
        let tail = bits & 0x7FF
        if tail > 0x400 || (tail == 0x400 && (rest != 0 || significand & 1 == 1)) { significand += 1 }
        let exponent = divisorShift - dividendShift - (isHalved ? 63 : 64) + 11
        // Between 10^-19 and 2^64, nothing is subnormal, so this power is exact, and so is the product.
        return Double(significand) * Double(bitPattern: UInt64(1023 + exponent) << 52)
    }

    /// All significant digits.
    private var digits: String {
        if isExact { return String(significand) }
        var digits: [UInt8] = []
        for byte in bytes {
            if byte | 0x20 == UInt8(ascii: "e") { break }
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { digits.append(byte) }
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return String(decoding: digits, as: UTF8.self)
    }
}
