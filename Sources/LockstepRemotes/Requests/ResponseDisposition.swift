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
    /// sends, and a number that is no status: “a client … SHOULD process the response as if it had a 5xx” (15).
    case unavailable(retryAfter: TimeInterval?)
    /// 1xx, 206 and another 3xx: the response does not contain the result of the request, or only a part of it (rule
    /// P13).
    case inconclusive
    /// Another 4xx: retrying does not help (rule P8).
    case refused

    /// - Parameter now: The time of the response, for a `Retry-After` that is a date and a response without `Date`.
    package init(_ response: HTTPResponse, now: Date) {
        switch response.status.code {
        case 100..<200, 206: self = .inconclusive
        case 200..<300: self = .success
        case 304: self = .notModified
        case 401: self = .unauthorized
        case 404, 410: self = .absent
        case 412: self = .outdated
        case 426: self = .updateNeeded
        case 300..<400: self = .inconclusive
        case 400..<500 where ![407, 408, 425, 429].contains(response.status.code): self = .refused
        default: self = .unavailable(retryAfter: RetryAfter.seconds(in: response.headerFields, now: now))
        }
    }

    /// Whether a response with this status contains the result of the request.
    package static func isConclusive(_ status: Int) -> Bool {
        guard (0...999).contains(status) else { return false }
        return Self(HTTPResponse(status: .init(code: status)), now: .distantPast) != .inconclusive
    }
}
