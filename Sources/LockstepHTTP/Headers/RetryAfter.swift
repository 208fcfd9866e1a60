package import Foundation

/// The time at which a server asks for the next request (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// The longest accepted wait, because a server that asks for a year has a wrong clock.
    package static let maximumSeconds: TimeInterval = 86_400

    /// The date of a field's value: seconds from now, or a date. A past date becomes now.
    package static func date(from text: String, now: Date) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let latest = now.addingTimeInterval(maximumSeconds)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text).map { min(now.addingTimeInterval($0), latest) }
        }
        return HTTPDate.date(from: text, now: now).map { min(max($0, now), latest) }
    }
}
