public import Foundation
public import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`.
///
/// ```swift
/// let client = URLSessionClient()
/// let response = try await client.send(request, body: nil)
/// for try await piece in response.body { … }
/// ```
///
/// - Bodies are delivered in pieces, while they arrive. An incomplete one throws. Cancelling its reader, or releasing
///   it, closes the connection.
/// - Nothing is cached, and no cookies or credentials are stored: a 304 and a 401 are responses like any other.
/// - The size and the speed of a body are limited: see ``HTTPLimits``. Without a reader, the server waits; on Linux,
///   received bytes are stored in a temporary file.
/// - At most 20 redirects are followed: 307 and 308 with the same method and body, 303 as a GET, 301
///   and 302 for GET and HEAD only (the response to another method is returned: a write that became a GET would look as
///   if it had succeeded). If the scheme, host or port changes, only header fields that are known to be harmless are
///   sent: no `Authorization`, no `Cookie`, no token of any name, not even in the query; and no body, unless
///   `redirectOrigins` contains the origin.
/// - `https` is allowed to any host, `http` to this machine only (`127.0.0.0/8`, `::1`, `localhost`).
public struct URLSessionClient: HTTPClient {
    /// The same number as in browsers and `URLSession`.
    package static let maximumRedirects = 20

    /// The app and this library, as in `Journal/3.1 Lockstep/0.2.0`.
    @usableFromInline package static let defaultUserAgent = UserAgent.ofApp

    /// How long requests may take without progress, unless ``HTTPTimeouts/current`` is set.
    package var timeouts: HTTPTimeouts
    /// The maximum size and the minimum speed of bodies.
    package var limits: HTTPLimits
    /// Whether `http` is allowed to other machines, which exposes what is sent to others on the network.
    package var allowsInsecureHosts: Bool {
        get { rule.allowsInsecureHosts }
        set { rule.allowsInsecureHosts = newValue }
    }

    /// Where a request's body may be sent if the server redirects it to another scheme, host or port (307, 308):
    /// origins such as `https://uploads.example.com`. A redirect to any other is an error.
    package var redirectOrigins: Set<String> {
        get { rule.redirectOrigins }
        set { rule.redirectOrigins = newValue }
    }

    /// The field `User-Agent` of requests that have none; `nil` for that of the system. The default names the app and
    /// its version, from its bundle or its process, and this library: `Journal/3.1 Lockstep/0.2.0`.
    package var userAgent: String?

    private var rule: AddressRule
    private let watch: HTTPWatch

    /// - Parameters:
    ///   - timeouts: How long requests may take without progress.
    ///   - limits: The maximum size and the minimum speed of bodies.
    ///   - allowsInsecureHosts: Whether `http` is allowed to other machines.
    ///   - redirectOrigins: Other origins that a body may be sent to after a redirect.
    ///   - userAgent: The field `User-Agent` of requests that have none; `nil` for that of the system.
    ///   - clock: The clock that measures these times; `nil` for the system's monotonic clock.
    public init(
        timeouts: HTTPTimeouts = HTTPTimeouts(), limits: HTTPLimits = HTTPLimits(), allowsInsecureHosts: Bool = false,
        redirectOrigins: Set<String> = [], userAgent: String? = URLSessionClient.defaultUserAgent,
        clock: (any SyncClock)? = nil
    ) {
        self.userAgent = userAgent
        self.timeouts = timeouts
        self.limits = limits
        rule = AddressRule(allowsInsecureHosts: allowsInsecureHosts, redirectOrigins: redirectOrigins)
        watch = clock.map(HTTPWatch.init) ?? .system
    }

    /// Sends a request, and further ones if the server redirects it.
    ///
    /// - Throws: ``SyncError``: `insecureAddress` before anything is sent, `network`, `timeout`, `unsupported` for a
    ///   GET with a body, `malformed` and `refused` for invalid redirects; `CancellationError`.
    @_spi(Requirements) public func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        var request = request
        if let userAgent, request.headerFields[.userAgent] == nil { request.headerFields[.userAgent] = userAgent }
        var body = body
        var visited: Set<String> = []
        while true {
            try Task.checkCancellation()
            let url = try address(of: request, isRedirected: !visited.isEmpty)
            visited.insert(Self.key(of: request))
            let response = try await sendOnce(request, to: url, body: body)
            guard
                let redirect = try Redirect(
                    of: request, hasBody: body?.isEmpty == false, at: url, response: response.head, rule: rule)
            else { return response }
            let status = response.head.status.code
            if visited.contains(Self.key(of: redirect.request)) {
                throw Self.refusal(redirect.request, status: status, reason: "the server redirects in a loop")
            }
            if visited.count > Self.maximumRedirects {
                throw Self.refusal(redirect.request, status: status, reason: "there are too many redirects")
            }
            request = redirect.request
            if !redirect.keepsBody { body = nil }
        }
    }

    private func address(of request: HTTPRequest, isRedirected: Bool) throws -> URL {
        do { return try rule.address(of: request) } catch let error as SyncError where isRedirected {
            throw error.aboutResponse()
        }
    }

    private func sendOnce(_ request: HTTPRequest, to url: URL, body: Data?) async throws -> HTTPClientResponse {
        let text = Redaction.text(of: request)
        if request.method == .get, body?.isEmpty == false {
            throw SyncError(
                .unsupported, request: text, reason: "a GET must not have a body", remedy: "Use the query, or POST.")
        }
        let exchange = HTTPExchange(
            method: request.method, requestText: text, timeouts: HTTPTimeouts.current ?? timeouts,
            limits: limits(for: request), watch: watch)
        HTTPSession.shared.start(URLRequest(request, url: url, body: body), for: exchange)
        let reader = HTTPBodyReader(exchange)
        let head = try await exchange.head()
        return HTTPClientResponse(HTTPResponse(head), body: HTTPBody(reader), address: url)
    }

    /// A stream of events may last for ever; its reader has its own limits.
    private func limits(for request: HTTPRequest) -> HTTPLimits {
        var limits = limits
        if let known = HTTPLimits.knownBodyBytes, limits.bodyBytes != nil { limits.bodyBytes = known }
        let accepted = request.headerFields[values: .accept].joined(separator: ",").lowercased()
        return accepted.contains("text/event-stream") ? limits.withoutEnd : limits
    }

    private static func key(of request: HTTPRequest) -> String { "\(request.method.rawValue) \(request.addressText)" }

    private static func refusal(_ request: HTTPRequest, status: Int, reason: String) -> SyncError {
        SyncError(
            .refused(status: status), request: Redaction.text(of: request), reason: reason,
            remedy: "Fix the server's redirects, or use another address.")
    }
}

/// Represents interest in the rest of the body. When it is released, the request ends.
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
