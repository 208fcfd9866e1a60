package import Foundation
package import HTTPTypes

/// The time at which a server asks for the next request (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// The longest accepted wait, because a server that asks for a year has a wrong clock.
    package static let maximumSeconds: TimeInterval = 86_400

    /// The seconds to wait that a response asks for; `nil` if it does not. A past date becomes 0.
    ///
    /// A date counts from the time of the response by the server's own clock (`Date`), because the device's may be
    /// wrong.
    ///
    /// - Parameter now: The device's time, for a response without `Date`.
    package static func seconds(in fields: HTTPFields, now: Date) -> TimeInterval? {
        guard let text = fields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text).map { min($0, maximumSeconds) }
        }
        let sent = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return HTTPDate.date(from: text, now: now).map { min(max($0.timeIntervalSince(sent), 0), maximumSeconds) }
    }
}
