package import Foundation
import GRDB

/// A delay as it is stored, with the time at which it began (Rules.md, P7). Both times are the device's, whose clock
/// may have been wrong then.
package struct StoredWait: Sendable, Hashable {
    /// When it began; `nil` if an earlier version of the library has stored it without that.
    package let start: Date?
    /// When it ends, by the clock of its beginning.
    package let end: Date

    /// The column with the start, which tables of earlier versions of the library lack.
    static let startColumn = "waits_since"

    /// That column of a table in a query.
    static func startSQL(of table: String, in database: Database) throws -> String {
        try database.hasColumn(startColumn, in: table) ? startColumn : "NULL"
    }

    /// How much earlier or later a time may be because it was rounded when it was stored, or because a clock was
    /// adjusted to a better one.
    private static let toleranceSeconds: TimeInterval = 1

    package init(start: Date?, end: Date) { (self.start, self.end) = (start, end) }

    /// - Parameters:
    ///   - start: Seconds since 1970, as a system table has them.
    ///   - end: The same.
    package init?(start: Double?, end: Double?) {
        guard let end = Date(stored: end) else { return nil }
        self.init(start: Date(stored: start), end: end)
    }

    /// When it is over; `nil` if it is.
    ///
    /// If it has not begun yet, or is longer than any may be, the clock was set since, and nobody knows how long it has
    /// lasted: it is over. So a wrong clock never makes anything wait longer than the longest delay.
    ///
    /// - Parameter longest: The longest delay in seconds.
    package func end(at now: Date, longest: TimeInterval) -> Date? {
        let began = start ?? now
        guard end > now, began.timeIntervalSince(now) <= Self.toleranceSeconds,
            end.timeIntervalSince(began) <= longest + Self.toleranceSeconds
        else { return nil }
        return end
    }
}

/// How often something was tried, as it is stored. Counts saturate.
package enum AttemptCount {
    /// After far fewer attempts, delays do not become longer.
    package static let limit = 1_000_000

    /// The number as it was read, or the limit that it exceeds.
    package static func limited(_ count: Int?) -> Int { min(max(count ?? 0, 0), limit) }

    /// One more than a column, in SQL. In a damaged file, it may be anything.
    static func incremented(_ column: String) -> String { "max(0, min(\(column), \(limit - 1))) + 1" }
}

extension Date {
    /// The seconds around 1970 that a stored time may have: more than 3000 years.
    private static let storedLimit = 100_000_000_000.0

    /// A time as a system table has it, in seconds since 1970; `nil` if it is no time (Rules.md, F1).
    package init?(stored seconds: Double?) {
        guard let seconds, abs(seconds) <= Self.storedLimit else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }
}
