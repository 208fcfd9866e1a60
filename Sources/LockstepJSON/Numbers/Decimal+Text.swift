package import Foundation

extension Decimal {
    /// The digits in plain notation: no exponent, no unnecessary zeros, the same for equal numbers; `nil` for
    /// not-a-number.
    package var storedText: String? {
        guard !isNaN else { return nil }
        guard self != 0 else { return "0" }
        return description
    }

    /// Parses digits with an optional sign, fraction and exponent; `nil` if the text is not a number, or one with more
    /// significant digits or a greater exponent than a decimal can represent.
    package init?(exactly text: String) {
        // Foundation returns `nil` for an exponent that is too great, and silently drops digits.
        guard let shape = NumberShape(text.utf8), shape.significantDigits <= Self.certainDigits + 1,
            let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
        else { return nil }
        // Some numbers with one more digit are exact, up to 2^128: those that are written as they were read.
        guard shape.significantDigits <= Self.certainDigits || value.storedText == text else { return nil }
        self = value
    }

    /// The number of significant digits that every decimal can represent.
    private static let certainDigits = 38

    /// Whether the stored digits are parsed as the same number.
    ///
    /// This is only uncertain near the limits of a decimal, so it is only tested there.
    package var isReadExactly: Bool {
        guard !(-80...80).contains(exponent) || significand.magnitude >= Self.leastUncertain else { return true }
        return storedText.flatMap { Decimal(exactly: $0) } == self
    }

    /// 10^38, from which on a significand has more than the certain digits.
    private static let leastUncertain = Decimal(sign: .plus, exponent: certainDigits, significand: 1)

    /// The number as an integer; `nil` if it is not one or exceeds 64 bits.
    package var wholeNumber: Int64? {
        guard !isNaN, abs(self) <= Self.beyondInt64 else { return nil }
        var value = self
        var rounded = Decimal()
        NSDecimalRound(&rounded, &value, 0, .plain)
        return rounded == self ? Int64(rounded.description) : nil
    }

    /// 2^63, which is greater than every signed integer of 64 bits.
    private static let beyondInt64 = Decimal(sign: .plus, exponent: 0, significand: Decimal(UInt64(1) << 63))

    /// The `Double` nearest to the digits, rounded once.
    package var nearestDouble: Double { Double(description) ?? .nan }
}

/// The precision of a JSON-like number's text.
package struct NumberShape {
    /// Digits without leading and trailing zeros.
    package private(set) var significantDigits = 0
    /// Whether there is neither a fraction nor an exponent.
    package private(set) var isWholeAsWritten = true

    /// `nil` if the text is not a number: `-12.50e3`.
    package init?(_ text: String.UTF8View) {
        var sawDigit = false
        var sawPoint = false
        var trailingZeros = 0
        var fractionDigits = 0
        var iterator = text.makeIterator()
        var byte = iterator.next()
        if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { byte = iterator.next() }
        scan: while let current = byte {
            switch current {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                sawDigit = true
                if sawPoint { fractionDigits += 1 }
                if current == UInt8(ascii: "0") {
                    if significantDigits > 0 { trailingZeros += 1 }
                } else {
                    significantDigits += trailingZeros + 1
                    trailingZeros = 0
                }
            case UInt8(ascii: "."):
                guard !sawPoint, sawDigit else { return nil }
                sawPoint = true
                isWholeAsWritten = false
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard sawDigit, Self.isExponent(&iterator) else { return nil }
                isWholeAsWritten = false
                break scan
            default: return nil
            }
            byte = iterator.next()
        }
        guard sawDigit, !sawPoint || fractionDigits > 0 else { return nil }
    }

    private static func isExponent(_ iterator: inout String.UTF8View.Iterator) -> Bool {
        var sawDigit = false
        var byte = iterator.next()
        if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { byte = iterator.next() }
        while let current = byte {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current) else { return false }
            sawDigit = true
            byte = iterator.next()
        }
        return sawDigit
    }
}
