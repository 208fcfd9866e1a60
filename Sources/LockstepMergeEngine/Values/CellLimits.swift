import Foundation
import LockstepTables

/// Limits for cells, with the same results as `violation(of:)` for typed values.
struct CellLimits {
    private let limits: Limits
    let hasRange: Bool
    private let lowest: Double
    private let highest: Double
    private let lengths: ClosedRange<Int>

    /// Returns `nil` if there are no limits.
    init?(_ limits: Limits) {
        if limits.isEmpty { return nil }
        self.limits = limits
        hasRange = limits.hasRange
        lowest = limits.minimum?.nearestDouble ?? -.infinity
        highest = limits.maximum?.nearestDouble ?? .infinity
        let shortest = limits.minimumLength ?? 0
        lengths = shortest...max(shortest, limits.maximumLength ?? .max)
    }

    func violation(whole number: Int64) -> LimitViolation? { limits.violation(wholeNumber: number) }

    func violation(real number: Double) -> LimitViolation? {
        number >= lowest && number <= highest ? nil : limits.violation(number: number)
    }

    func violation(decimal number: NumberDigits) -> LimitViolation? {
        // Comparing the nearest double takes a few cycles. Only near a limit, the exact number is needed.
        let nearest = number.double()
        if abs(nearest) < 1e15 {
            let (below, above) = (Int64(nearest.rounded(.down)) - 1, Int64(nearest.rounded(.up)) + 1)
            if limits.violation(wholeNumber: below) == nil, limits.violation(wholeNumber: above) == nil { return nil }
        }
        return Decimal(exactly: number.text).flatMap(limits.violation(number:))
    }

    /// Lengths are in Unicode scalars.
    func violation(text: UnsafeBufferPointer<UInt8>) -> LimitViolation? {
        if limits.isOfIdentity, text.contains(0) { return .nul }
        // Most texts are short enough by their number of bytes, since a scalar has one to four.
        if text.count <= lengths.upperBound, (text.count + 3) / 4 >= lengths.lowerBound { return nil }
        var scalars = 0
        for byte in text where byte & 0xC0 != 0x80 { scalars += 1 }
        return limits.violation(length: scalars)
    }

    func violation(length: Int) -> LimitViolation? {
        lengths.contains(length) ? nil : limits.violation(length: length)
    }
}
