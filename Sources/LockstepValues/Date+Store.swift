public import Foundation

extension Date {
    /// The date as the store saves it, rounded to the nearest microsecond since 1970, so that stored, loaded and
    /// compared dates agree.
    ///
    /// Before 1865 and after 2106, a `Date` cannot represent microseconds; there it is the nearest millisecond, beyond
    /// 70,000 years the nearest second, and beyond 70 million the nearest that a `Date` can represent reliably.
    /// Rounding a rounded date changes nothing.
    public var roundedToStore: Date { Date(timeIntervalSince1970: Self.roundedToStore(timeIntervalSince1970)) }

    /// Rounds the date to the store's precision.
    package mutating func roundToStore() { self = roundedToStore }

    /// Whether it is in the years 0 to 9999. A number that is a date outside of these has another unit, such as
    /// microseconds that are read as milliseconds (Rules.md, N3).
    package var isPlausible: Bool { (-62_167_219_200..<253_402_300_800).contains(timeIntervalSince1970) }

    /// Beyond this, a `Double` does not distinguish consecutive integers.
    package static let exactLimit = 9_007_199_254_740_992.0  // 2^53

    /// Seconds since 1970, rounded.
    ///
    /// A `Date` contains seconds since 2001. Converting from one epoch to the other and back rounds twice, each time by
    /// at most half of the distance between neighbouring doubles. Each grid is used only as far as that is less than
    /// half of it.
    package static func roundedToStore(_ seconds: Double) -> Double {
        switch grid(of: seconds) {
        case .microseconds: return (seconds * 1_000_000).rounded() / 1_000_000
        case .milliseconds: return (seconds * 1_000).rounded() / 1_000
        case .seconds: return seconds.rounded()
        case .coarser:
            guard seconds.isFinite else { return seconds }
            let step = seconds.ulp * 4096
            return (seconds / step).rounded() * step
        }
    }

    /// The precision of dates in the store.
    package enum Grid { case microseconds, milliseconds, seconds, coarser }

    /// The grid that a date is rounded to, by its distance from both epochs, in seconds.
    package static func grid(of seconds: Double) -> Grid {
        let distance = max(abs(seconds), abs(seconds - Date.timeIntervalBetween1970AndReferenceDate))
        if distance < 4_294_967_296 { return .microseconds }  // 2^32: neighbours are 0.48 microseconds apart
        if distance < 2_199_023_255_552 { return .milliseconds }  // 2^41: 0.24 milliseconds
        if distance < 2_251_799_813_685_248 { return .seconds }  // 2^51: 0.25 seconds
        return .coarser
    }
}
