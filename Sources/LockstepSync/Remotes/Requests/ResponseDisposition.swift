package import Foundation
package import HTTPTypes

/// The meaning of a response's status (RFC 9110, 15). Statuses are only interpreted here.
package enum ResponseDisposition: Sendable, Hashable {
    /// 2xx, except for 206, whose body is incomplete.
    case success
    /// 304: nothing has changed.
    case notModified
    /// 404, 410: it does not exist (rule P6).
    case absent
    /// 401: other credentials are required (rule P9).
    case unauthorized
    /// 426: the server requires a newer version of the app.
    case updateNeeded
    /// 412: a condition of the request is not satisfied (rule C4).
    case outdated
    /// 408, 425, 429, 5xx: it may succeed later, after this number of seconds (rule P7). So is 407, which only a proxy
    /// sends.
    case unavailable(retryAfter: TimeInterval?)
    /// Another 3xx: the response does not contain the result of the request (rule P13).
    case redirected
    /// Anything else: retrying does not help (rule P8).
    case refused

    /// - Parameter now: The time of the response, for a `Retry-After` that is a date.
    package init(_ response: HTTPResponse, now: Date) {
        switch response.status.code {
        case 206: self = .refused
        case 200..<300: self = .success
        case 304: self = .notModified
        case 401: self = .unauthorized
        case 404, 410: self = .absent
        case 412: self = .outdated
        case 426: self = .updateNeeded
        case 300..<400: self = .redirected
        case 407, 408, 425, 429, 500..<600:
            let moment = response.headerFields[.retryAfter].flatMap { RetryAfter.date(from: $0, now: now) }
            self = .unavailable(retryAfter: moment?.timeIntervalSince(now))
        default: self = .refused
        }
    }
}
