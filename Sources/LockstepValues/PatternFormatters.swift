package import Foundation
import LockstepSystem

/// Date formatters for the patterns of `DateFormat.pattern`, each created once.
package enum PatternFormatters {
    private static let formatters = Locked<[String: DateFormatter]>([:])

    package static func date(from text: String, pattern: String) -> Date? {
        withFormatter(for: pattern) { $0.date(from: text) }?.roundedToStore
    }

    package static func text(of date: Date, pattern: String) -> String {
        withFormatter(for: pattern) { $0.string(from: date) }
    }

    private static func withFormatter<T: Sendable>(for pattern: String, _ body: (DateFormatter) -> T) -> T {
        formatters.withLock { formatters in
            if let formatter = formatters[pattern] { return body(formatter) }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = pattern
            formatters[pattern] = formatter
            return body(formatter)
        }
    }
}
