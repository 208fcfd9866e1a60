package import Foundation

/// Dates as they stand in header fields (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    /// The form that is written, and the two obsolete ones, which a recipient must read too.
    private static let patterns = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]

    /// The text of a date, down to the whole second.
    package static func text(_ date: Date) -> String {
        formatter(patterns[0]).string(from: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
    }

    /// The date that a text means; `nil` where it is none.
    package static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        for pattern in patterns {
            if let date = formatter(pattern).date(from: text) { return date }
        }
        return nil
    }

    /// How many seconds to wait by a `Retry-After` field, which holds seconds or a date (RFC 9110, 10.2.3). `nil` where
    /// there is none, or none that can be read; a date that is over is 0.
    package static func retryAfter(_ field: String?, now: Date) -> TimeInterval? {
        guard let text = field?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { return TimeInterval(text) }
        return date(text).map { max(0, $0.timeIntervalSince(now)) }
    }

    private static func formatter(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.isLenient = false
        formatter.dateFormat = pattern
        return formatter
    }
}
