import Foundation
import HTTPTypes

/// Where a request goes on after an answer that redirects it (RFC 9110, 15.4).
///
/// - 307 and 308 keep the method and the body.
/// - 303 becomes a GET without a body.
/// - 301 and 302 are followed for GET and HEAD only. RFC 9110 lets a client turn a POST into a GET there, whose answer
///   would look as if the write had been done; it does not oblige a client to follow. A write's caller gets the answer.
/// - Beyond the origin, a body is repeated only where that was allowed: it is the user's, and the server's word is not
///   enough to give it to another one.
/// - Beyond the origin, only fields that are known to be harmless go along, and no secret parameter.
struct Redirect {
    let request: HTTPRequest
    let keepsBody: Bool

    /// What a request becomes, or `nil` where the answer is for whoever asked.
    ///
    /// - Throws: ``SyncError`` (`malformed`) where the target is no address, and `insecureAddress` where it leads from
    ///   `https` to `http`, or a body to another origin that ``AddressRule/redirectOrigins`` has not.
    init?(
        of request: HTTPRequest, hasBody: Bool, at url: URL, answeredBy response: HTTPResponse, rule: AddressRule
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
        var next = HTTPRequest(method, target, headerFields: fields)
        if !isSameOrigin { next.dropSecretParameters() }
        self.request = next

        if url.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http", !rule.allowsInsecureHosts {
            throw SyncError(
                .insecureAddress, request: Redaction.text(of: request),
                reason: "the server redirects from https to http, to \(Redaction.text(of: next.addressText))",
                remedy: "Let the server redirect to https.")
        }
        if hasBody, keepsBody, !isSameOrigin, !rule.mayRepeatBody(at: target) {
            throw SyncError(
                .insecureAddress, request: Redaction.text(of: request),
                reason:
                    "the server redirects what is sent to another one, \(Redaction.text(of: target.absoluteString))",
                remedy: "Send it there in the first place, or name that origin in the client's `redirectOrigins`.")
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

    /// The same scheme, host and port; or from `http` to `https` on the same host, both at their usual ports.
    static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
        guard let host = one.host?.lowercased(), host == other.host?.lowercased() else { return false }
        let schemes = (one.scheme?.lowercased(), other.scheme?.lowercased())
        if schemes.0 == schemes.1 { return port(of: one) == port(of: other) }
        return schemes == ("http", "https") && port(of: one) == 80 && port(of: other) == 443
    }

    private static func port(of url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }

    /// A list of what may go along, because nobody can list every name that a secret is sent under.
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

    /// What says something about a body, and is wrong without it.
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
