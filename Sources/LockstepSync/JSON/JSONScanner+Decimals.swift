import Foundation
import LockstepStore

extension JSONScanner.Number {
    /// The nearest `Double`; `nil` beyond the greatest.
    var double: Double? {
        if let scaled, let double = scaled.exactDouble { return double }
        // Not more than this is allocated, however long the number is: it is the payload's own length.
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// The number as a decimal, where its digits are few; `nil` where it has to be read with more care.
    var shortDecimal: Decimal? {
        guard var scaled, (-60...60).contains(scaled.exponent) else { return nil }
        while scaled.significand > 0, scaled.significand % 10 == 0, scaled.exponent < 0 {
            scaled.significand /= 10
            scaled.exponent += 1
        }
        return Decimal(
            sign: scaled.isNegative && scaled.significand > 0 ? .minus : .plus, exponent: scaled.exponent,
            significand: Decimal(scaled.significand))
    }

    /// The number without a point, where its digits fit 64 bits; trailing zeros of the fraction are dropped.
    private var scaled: ScaledNumber? {
        var number = ScaledNumber()
        var place = 0
        if bytes[0] == UInt8(ascii: "-") {
            number.isNegative = true
            place = 1
        }
        var isFraction = false
        scan: while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "."): isFraction = true
            case let byte where byte &- 0x30 < 10:
                guard number.append(byte &- 0x30, isFraction: isFraction) else { return nil }
            default: break scan
            }
            place += 1
        }
        if place < bytes.count {
            // An exponent of more digits than these is for the slow way.
            guard bytes.count - place <= 6, let exponent = Int(String(decoding: bytes[(place + 1)...], as: UTF8.self))
            else { return nil }
            number.exponent += exponent
        }
        return number
    }
}

/// `significand` times ten to the `exponent`.
private struct ScaledNumber {
    var isNegative = false
    var significand: UInt64 = 0
    var exponent = 0
    /// Zeros at the end of the fraction that are not in the significand yet.
    private var zeros = 0

    /// Adds a digit; `false` where there are too many.
    mutating func append(_ digit: UInt8, isFraction: Bool) -> Bool {
        if isFraction, digit == 0 {
            zeros += 1
            return true
        }
        while zeros > 0 {
            guard shift(by: 0) else { return false }
            exponent -= 1
            zeros -= 1
        }
        if isFraction { exponent -= 1 }
        return shift(by: digit)
    }

    private mutating func shift(by digit: UInt8) -> Bool {
        guard significand < UInt64.max / 10 else { return false }
        significand = significand * 10 + UInt64(digit)
        return true
    }

    /// The nearest `Double`, where one operation on two exact ones finds it (Clinger, “How to Read Floating Point
    /// Numbers Accurately”, 1990).
    var exactDouble: Double? {
        guard significand <= 1 << 53, (-22...22).contains(exponent) else { return nil }
        let value = Double(significand)
        let scaled = exponent < 0 ? value / Self.powersOfTen[-exponent] : value * Self.powersOfTen[exponent]
        return isNegative ? -scaled : scaled
    }

    /// Those that a `Double` holds exactly.
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
