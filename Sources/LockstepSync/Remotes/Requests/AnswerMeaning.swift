package import Foundation
package import HTTPTypes

/// What a server's status says to whoever sent a request (RFC 9110, 15): the one place where statuses are told apart.
package enum AnswerMeaning: Sendable, Hashable {
    /// 2xx, but for 206, which is a part only and so never a whole body.
    case success
    /// 304: nothing has changed.
    case notModified
    /// 404, 410: there is no such thing (rule P6).
    case absent
    /// 401: other credentials are wanted (rule P9).
    case unauthorized
    /// 412: a condition of the request does not hold (rule C4).
    case outdated
    /// 408, 425, 429, 5xx: later, perhaps, after so many seconds (rule P7). So is 407, which a proxy says and no
    /// server.
    case unavailable(retryAfter: TimeInterval?)
    /// Another 3xx: whoever answers does not say what became of the request (rule P13).
    case redirected
    /// Anything else: trying again does not help (rule P8).
    case refused

    /// - Parameter now: The time of the answer, for a `Retry-After` that is a date.
    package init(_ response: HTTPResponse, now: Date) {
        switch response.status.code {
        case 206: self = .refused
        case 200..<300: self = .success
        case 304: self = .notModified
        case 401: self = .unauthorized
        case 404, 410: self = .absent
        case 412: self = .outdated
        case 300..<400: self = .redirected
        case 407, 408, 425, 429, 500..<600:
            let moment = response.headerFields[.retryAfter].flatMap { RetryAfter.date(from: $0, now: now) }
            self = .unavailable(retryAfter: moment?.timeIntervalSince(now))
        default: self = .refused
        }
    }
}
