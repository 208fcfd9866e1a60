public import Foundation

extension Date {
    /// The date as the store keeps it: the nearest microsecond since 1970, so that what is stored, loaded and compared agrees.
    ///
    /// A `Double` cannot tell microseconds apart before 1685 and after 2255; there it is the nearest millisecond, and
    /// where those cannot be told apart either, the nearest second. Rounding a rounded date changes nothing.
    public var roundedToStore: Date { Date(timeIntervalSince1970: Self.roundedToStore(timeIntervalSince1970)) }

    /// Rounds the date to what the store keeps.
    public mutating func roundToStore() { self = roundedToStore }

    /// Beyond it, neighbouring whole numbers are not told apart by a `Double`.
    static let exactLimit = 9_007_199_254_740_992.0  // 2^53

    static func roundedToStore(_ seconds: Double) -> Double {
        let microseconds = seconds * 1_000_000
        if abs(microseconds) <= exactLimit { return microseconds.rounded() / 1_000_000 }
        let milliseconds = seconds * 1_000
        if abs(milliseconds) <= exactLimit { return milliseconds.rounded() / 1_000 }
        return seconds.rounded()
    }
}
