import Foundation
import HTTPTypes

/// The request that follows a redirecting response (RFC 9110, 15.4).
///
/// - 307 and 308 keep the method and the body.
/// - 303 becomes a GET without a body.
/// - 301 and 302 are followed for GET and HEAD only. RFC 9110 allows a client to change a POST to a GET there, whose
///   response would look as if the write had succeeded; it does not require a client to follow. The caller of a write
///   receives the response.
/// - A body is sent to another origin only if that was allowed: it is the user's data, and the server's redirect alone
///   must not pass it on to another server.
/// - Only fields that are known to be harmless are sent to another origin, and no secret parameters.
struct Redirect {
    let request: HTTPRequest
    let keepsBody: Bool

    /// Creates the next request; `nil` if the response is to be returned to the caller.
    ///
    /// - Throws: ``SyncError``: `malformed` if the target is not an address, `insecureAddress` if the redirect leads
    ///   from `https` to `http`, or sends a body to another origin that is not in ``AddressRule/redirectOrigins``.
    init?(
        of request: HTTPRequest, hasBody: Bool, at url: URL, response: HTTPResponse, rule: AddressRule
    ) throws {
        guard let method = Self.method(after: response.status.code, for: request.method),
            let location = response.headerFields[.location]
        else { return nil }
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.scheme != nil else {
            throw SyncError(
                .malformed, request: Redaction.text(of: request),
                reason: "the redirect has an invalid address", remedy: "Fix the server's Location.")
        }
        let isSameOrigin = Self.isSameOrigin(url, target)
        keepsBody = method == request.method
        var fields = request.headerFields
        if !isSameOrigin { fields = Self.harmless(fields) }
        if !keepsBody { for name in Self.bodyFields { fields[name] = nil } }
        var next = HTTPRequest(method, url: target, headerFields: fields)
        if !isSameOrigin { next.dropSecretParameters() }
        self.request = next

        if url.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http", !rule.allowsInsecureHosts {
            throw SyncError(
                .insecureAddress, request: Redaction.text(of: request),
                reason: "the server redirects from https to http, to \(Redaction.text(of: next.addressText))",
                remedy: "Make the server redirect to https."
            ).aboutResponse()
        }
        if hasBody, keepsBody, !isSameOrigin, !rule.mayRepeatBody(at: target) {
            throw SyncError(
                .insecureAddress, request: Redaction.text(of: request),
                reason:
                    "the server redirects the body to another origin, \(Redaction.text(of: target.absoluteString))",
                remedy: "Send it there directly, or add that origin to the client's `redirectOrigins`."
            ).aboutResponse()
        }
    }

    private static func method(after status: Int, for method: HTTPRequest.Method) -> HTTPRequest.Method? {
        switch status {
        case 307, 308: method
        case 303: method == .head ? .head : .get
        case 301, 302: method == .get || method == .head ? method : nil
        default: nil
        }
    }

    /// Whether scheme, host and port are equal, or it leads from `http` to `https` on the same host, both at their
    /// default ports.
    static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
        guard let host = one.host?.lowercased(), host == other.host?.lowercased() else { return false }
        let schemes = (one.scheme?.lowercased(), other.scheme?.lowercased())
        if schemes.0 == schemes.1 { return port(of: one) == port(of: other) }
        return schemes == ("http", "https") && port(of: one) == 80 && port(of: other) == 443
    }

    private static func port(of url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }

    /// A list of allowed fields, because it is impossible to list every name of a field with a secret.
    private static func harmless(_ fields: HTTPFields) -> HTTPFields {
        var kept = HTTPFields()
        for field in fields where harmlessNames.contains(field.name) { kept.append(field) }
        return kept
    }

    private static let harmlessNames: Set<HTTPField.Name> = Set(
        [
            .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .contentType, .contentLanguage, .contentEncoding,
            .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range, .userAgent,
        ] + ["Idempotency-Key", "X-Firebase-ETag", "Prefer"].compactMap { HTTPField.Name($0) })

    /// Fields that describe a body, and are wrong without it.
    private static let bodyFields: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLength, .contentLocation, .transferEncoding,
    ]
}

extension HTTPRequest {
    fileprivate mutating func dropSecretParameters() {
        guard let path, let mark = path.firstIndex(of: "?") else { return }
        let query = Redaction.droppingSecrets(String(path[path.index(after: mark)...]))
        self.path = path[..<mark] + (query.map { "?" + $0 } ?? "")
    }
}
