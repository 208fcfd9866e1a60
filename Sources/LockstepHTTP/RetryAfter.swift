package import Foundation

/// When a server wants to be asked again (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// The longest wait that is believed: a server that names a year has its clock wrong.
    package static let maximumSeconds: TimeInterval = 86_400

    /// The moment that a field's value names: seconds from now, or a date. A date that is past is now.
    package static func date(from text: String, now: Date) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let latest = now.addingTimeInterval(maximumSeconds)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text).map { min(now.addingTimeInterval($0), latest) }
        }
        return HTTPDate.date(from: text, now: now).map { min(max($0, now), latest) }
    }
}
