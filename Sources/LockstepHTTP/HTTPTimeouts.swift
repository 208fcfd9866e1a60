public import Foundation
public import HTTPTypes

/// How long a request may go without progress.
///
/// Both times begin anew with every piece that is sent or received, so that a large body may take as long as it needs.
/// Time in which nobody reads the body does not count.
///
/// ```swift
/// let client = URLSessionClient(timeouts: HTTPTimeouts(answerSeconds: 10))
/// let answer = try await client.send(request, timeouts: .eventStream)
/// ```
public struct HTTPTimeouts: Sendable, Hashable {
    /// Until the head of the answer is there, connecting included. `nil`: forever.
    public var answerSeconds: Double?
    /// Between two pieces of the body. `nil`: forever.
    public var idleSeconds: Double?

    /// Long enough for a slow server with a cold start, short enough for somebody who waits.
    public static let defaultAnswerSeconds = 60.0
    /// Twice the 30 seconds between the keep-alives of a Firebase event stream.
    public static let defaultIdleSeconds = 60.0

    public init(
        answerSeconds: Double? = HTTPTimeouts.defaultAnswerSeconds,
        idleSeconds: Double? = HTTPTimeouts.defaultIdleSeconds
    ) {
        self.answerSeconds = answerSeconds
        self.idleSeconds = idleSeconds
    }

    /// For a stream of events: it may be silent for as long as `defaultIdleSeconds`, that is for two keep-alives.
    public static let eventStream = HTTPTimeouts()

    /// No limit: for tests, which a busy machine must not fail.
    public static let unlimited = HTTPTimeouts(answerSeconds: nil, idleSeconds: nil)

    /// What requests of this task have, whatever client sends them and however often it is wrapped; `nil`: what the
    /// client has.
    @TaskLocal public static var current: HTTPTimeouts?
}

extension HTTPClient {
    /// Sends a request with timeouts of its own.
    ///
    /// - Throws: What ``HTTPClient/send(_:body:)`` throws.
    public func send(_ request: HTTPRequest, body: Data? = nil, timeouts: HTTPTimeouts) async throws -> HTTPAnswer {
        try await HTTPTimeouts.$current.withValue(timeouts) { try await send(request, body: body) }
    }
}
