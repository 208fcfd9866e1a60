public import Foundation
public import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`.
///
/// ```swift
/// let client = URLSessionClient()
/// let answer = try await client.send(request, body: nil)
/// for try await piece in answer.body { … }
/// ```
///
/// - Bodies come in pieces, while they arrive. One that breaks off throws; cancelling its reader, or letting go of it,
///   ends the connection.
/// - Nothing is cached and no cookie or credential is kept: a 304 and a 401 are answers like any other.
/// - A body has a largest size and a shortest speed: see ``HTTPLimits``. While nobody reads, the server waits; on
///   Linux what has come waits in a temporary file.
/// - At most ``maximumRedirects`` redirects are followed: 307 and 308 with the same method and body, 303 as a GET, 301
///   and 302 for GET and HEAD only (the answer to another method is the caller's: a write that became a GET would look
///   done). Beyond the scheme, host and port that were asked, only header fields that are known to be harmless go
///   along: no `Authorization`, no `Cookie`, no token of whatever name, neither in the query; and no body, unless
///   ``redirectOrigins`` has the origin.
/// - `https` goes to anybody, `http` to this machine only (`127.0.0.0/8`, `::1`, `localhost`).
public struct URLSessionClient: HTTPClient {
    /// As many as browsers and `URLSession` follow.
    public static let maximumRedirects = 20

    /// How long requests may go without progress, where ``HTTPTimeouts/current`` does not say otherwise.
    public var timeouts: HTTPTimeouts
    /// How large bodies may be, and how slow, where ``HTTPLimits/current`` does not say otherwise.
    public var limits: HTTPLimits
    /// Whether `http` may go to other machines, which shows everybody on the way what is sent.
    public var allowsInsecureHosts: Bool {
        get { rule.allowsInsecureHosts }
        set { rule.allowsInsecureHosts = newValue }
    }

    /// Where a request's body may go on to, if the server redirects it beyond its own scheme, host and port (307, 308):
    /// origins such as `https://uploads.example.com`. A redirect to any other is an error.
    public var redirectOrigins: Set<String> {
        get { rule.redirectOrigins }
        set { rule.redirectOrigins = newValue }
    }

    private var rule: AddressRule
    private let watch: HTTPWatch

    /// - Parameters:
    ///   - timeouts: How long requests may go without progress.
    ///   - limits: How large bodies may be, and how slow.
    ///   - allowsInsecureHosts: Whether `http` may go to other machines.
    ///   - redirectOrigins: Where a body may go on to beyond the origin that was asked.
    ///   - clock: The time that these are looked at with; `nil` for the system's, which goes on evenly.
    public init(
        timeouts: HTTPTimeouts = HTTPTimeouts(), limits: HTTPLimits = HTTPLimits(), allowsInsecureHosts: Bool = false,
        redirectOrigins: Set<String> = [], clock: (any SyncClock)? = nil
    ) {
        self.timeouts = timeouts
        self.limits = limits
        rule = AddressRule(allowsInsecureHosts: allowsInsecureHosts, redirectOrigins: redirectOrigins)
        watch = clock.map(HTTPWatch.init) ?? .system
    }

    /// Sends a request, and further ones where the server redirects it.
    ///
    /// - Throws: ``SyncError``: `insecureAddress` before anything is sent, `network`, `timeout`, `unsupported` for a
    ///   GET with a body, `malformed` and `refused` where redirects lead nowhere; `CancellationError`.
    public func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer {
        var request = request
        var body = body
        var visited: Set<String> = []
        while true {
            try Task.checkCancellation()
            let url = try rule.address(of: request)
            visited.insert(Self.key(of: request))
            let answer = try await sendOnce(request, to: url, body: body)
            guard
                let redirect = try Redirect(
                    of: request, hasBody: body?.isEmpty == false, at: url, answeredBy: answer.response, rule: rule)
            else { return answer }
            let status = answer.response.status.code
            if visited.contains(Self.key(of: redirect.request)) {
                throw Self.refusal(redirect.request, status, "the server redirects in a circle")
            }
            if visited.count > Self.maximumRedirects {
                throw Self.refusal(redirect.request, status, "the server redirects too often")
            }
            request = redirect.request
            if !redirect.keepsBody { body = nil }
        }
    }

    private func sendOnce(_ request: HTTPRequest, to url: URL, body: Data?) async throws -> HTTPAnswer {
        let text = Redaction.text(of: request)
        if request.method == .get, body?.isEmpty == false {
            throw SyncError(
                .unsupported, request: text, reason: "a GET has no body", remedy: "Ask with the query, or with POST.")
        }
        let exchange = HTTPExchange(
            method: request.method, requestText: text, timeouts: HTTPTimeouts.current ?? timeouts,
            limits: limits(for: request), watch: watch)
        HTTPSession.shared.start(URLRequest(request, url: url, body: body), for: exchange)
        let reader = HTTPBodyReader(exchange)
        let head = try await exchange.head()
        return HTTPAnswer(HTTPResponse(head), body: HTTPBody(reader), address: url)
    }

    /// A stream of events may go on for ever; whoever reads it has limits of its own.
    private func limits(for request: HTTPRequest) -> HTTPLimits {
        if let limits = HTTPLimits.current { return limits }
        var limits = limits
        if let known = HTTPLimits.knownBodyBytes, limits.bodyBytes != nil { limits.bodyBytes = known }
        let accepted = request.headerFields[values: .accept].joined(separator: ",").lowercased()
        return accepted.contains("text/event-stream") ? limits.withoutEnd : limits
    }

    private static func key(of request: HTTPRequest) -> String { "\(request.method.rawValue) \(request.addressText)" }

    private static func refusal(_ request: HTTPRequest, _ status: Int, _ reason: String) -> SyncError {
        SyncError(
            .refused(status: status), request: Redaction.text(of: request), reason: reason,
            remedy: "Fix the server's redirects, or use another address.")
    }
}

/// Whoever holds it wants the rest of the body: when nobody does any more, the request ends.
private final class HTTPBodyReader: Sendable {
    let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) { self.exchange = exchange }

    deinit { exchange.cancel() }
}

extension HTTPBody {
    fileprivate init(_ reader: HTTPBodyReader) {
        self.init(AsyncThrowingStream { try await reader.exchange.piece() })
    }
}
