public import Foundation
public import HTTPTypes
import LockstepStore
import LockstepSync

/// A response of a fake server.
public struct ServerResponse: Sendable, Hashable {
    public var status: Int
    public var headers: HTTPFields
    public var body: Data
    /// Whether the body continues with events until the connection ends.
    var isStream = false

    public init(_ status: Int, headers: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The response of a network's sign-in page to any request: 200 and HTML.
    package static let page = ServerResponse(
        200, headers: [.contentType: "text/html; charset=utf-8"],
        body: Data("<!DOCTYPE html><html><body>Welcome. Please sign in.</body></html>".utf8))

    /// A response whose body is JSON.
    init(_ status: Int, json: JSONValue, headers: HTTPFields = [:], isPretty: Bool = false) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        // Only NaN and infinite numbers cannot be written, and no server has them.
        self.init(status, headers: headers, body: (try? json.json(isPretty: isPretty)) ?? Data("null".utf8))
    }
}

/// A scripted response of a fake server, instead of its normal one.
public enum ScriptedServerResponse: Sendable {
    /// The server sends this response. The request has no effect.
    case response(ServerResponse)
    /// The server responds with this status. The request has no effect.
    case status(Int, retryAfter: Int? = nil)
    /// The connection breaks before the server handles the request.
    case connectionFails
    /// The server handles the request, and the connection breaks before the response.
    case responseLost
    /// The server handles the request, and the connection breaks in the middle of the response's body.
    case truncated
    /// The request waits at the gate, and is then handled.
    case held(Gate)
    /// The server handles the request, and the response waits at the gate.
    case responseHeld(Gate)
}

extension ScriptedServerResponse {
    @available(*, deprecated, renamed: "response(_:)")
    public static func answer(_ response: ServerResponse) -> Self { .response(response) }

    @available(*, deprecated, renamed: "responseLost") public static var answerLost: Self { .responseLost }

    @available(*, deprecated, renamed: "responseHeld(_:)")
    public static func answerHeld(_ gate: Gate) -> Self { .responseHeld(gate) }
}

@available(*, deprecated, renamed: "ServerResponse")
public typealias ServerAnswer = ServerResponse

@available(*, deprecated, renamed: "ScriptedServerResponse")
public typealias ScriptedServerAnswer = ScriptedServerResponse

/// A reply that is sent over the connection.
enum ServerReply: Sendable {
    case response(ServerResponse)
    /// The first bytes, and then the events as they arrive.
    case stream(ServerResponse, AsyncThrowingStream<Data, any Error>)
    /// Half of the body, and then the connection breaks.
    case truncated(ServerResponse)
    /// Nothing: the connection breaks.
    case none
}

/// How a kind of server responds: a pure function of its state.
protocol ServerDialect: Sendable {
    func response(to request: ServerRequest, in state: inout ServerState) -> ServerResponse

    /// Returns the events that the stream of a request sends when a change has happened.
    func events(for request: ServerRequest, since start: Int, in state: ServerState) -> [Data]
}

extension ServerDialect {
    func events(for request: ServerRequest, since start: Int, in state: ServerState) -> [Data] { [] }
}
