public import Foundation
public import HTTPTypes

/// How long a request may take without progress.
///
/// Both periods start again with every piece that is sent or received, so a large body may take as long as it needs.
/// Time in which nothing reads the body does not count.
///
/// ```swift
/// let client = URLSessionClient(timeouts: HTTPTimeouts(responseSeconds: 10))
/// let response = try await client.send(request, timeouts: HTTPTimeouts(idleSeconds: 120))
/// ```
public struct HTTPTimeouts: Sendable, Hashable {
    /// The time until the head of the response has arrived, including the connection. `nil`: no limit.
    public var responseSeconds: Double?
    @available(*, deprecated, renamed: "responseSeconds") public var answerSeconds: Double? {
        get { responseSeconds }
        set { responseSeconds = newValue }
    }
    /// The time between two pieces of the body. `nil`: no limit.
    public var idleSeconds: Double?

    /// Long enough for a slow server with a cold start, short enough for a waiting user.
    @usableFromInline package static let defaultResponseSeconds = 60.0
    /// Twice the 30 seconds between the keep-alives of a Firebase event stream.
    @usableFromInline package static let defaultIdleSeconds = 60.0

    public init(
        responseSeconds: Double? = HTTPTimeouts.defaultResponseSeconds,
        idleSeconds: Double? = HTTPTimeouts.defaultIdleSeconds
    ) {
        self.responseSeconds = responseSeconds
        self.idleSeconds = idleSeconds
    }

    @available(*, deprecated, renamed: "init(responseSeconds:idleSeconds:)")
    public init(answerSeconds: Double?, idleSeconds: Double? = HTTPTimeouts.defaultIdleSeconds) {
        self.init(responseSeconds: answerSeconds, idleSeconds: idleSeconds)
    }

    /// For a stream of events, which may be silent for `defaultIdleSeconds`, that is for two keep-alives.
    package static let eventStream = HTTPTimeouts()

    /// No limit, for tests, which must not fail on a busy machine.
    package static let unlimited = HTTPTimeouts(responseSeconds: nil, idleSeconds: nil)

    /// The timeouts of requests of this task, whatever client sends them and however it is wrapped; `nil`: those of the
    /// client.
    @TaskLocal public static var current: HTTPTimeouts?
}

extension HTTPClient {
    /// Sends a request with other timeouts.
    ///
    /// - Throws: Errors of ``HTTPClient/send(_:body:)``.
    public func send(_ request: HTTPRequest, body: Data? = nil, timeouts: HTTPTimeouts) async throws
        -> HTTPClientResponse
    {
        try await HTTPTimeouts.$current.withValue(timeouts) { try await send(request, body: body) }
    }
}
