public import Foundation
public import HTTPTypes
import LockstepStore
import LockstepSync

/// What a fake server answers.
public struct ServerAnswer: Sendable, Hashable {
    public var status: Int
    public var headers: HTTPFields
    public var body: Data
    /// Whether the body goes on with events until the connection ends.
    var isStream = false

    public init(_ status: Int, headers: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// What the sign-in page of a network answers to anything: 200, and HTML.
    public static let page = ServerAnswer(
        200, headers: [.contentType: "text/html; charset=utf-8"],
        body: Data("<!DOCTYPE html><html><body>Welcome. Please sign in.</body></html>".utf8))

    /// An answer whose body is JSON.
    init(_ status: Int, json: JSONValue, headers: HTTPFields = [:], isPretty: Bool = false) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        // Only numbers that are none cannot be written, and no server has them.
        self.init(status, headers: headers, body: (try? json.json(isPretty: isPretty)) ?? Data("null".utf8))
    }
}

/// What a fake server does with a request instead of what it would.
public enum ScriptedServerAnswer: Sendable {
    /// It answers so, and does nothing.
    case answer(ServerAnswer)
    /// It answers with this status, and does nothing.
    case status(Int, retryAfter: Int? = nil)
    /// The connection breaks before the server acts.
    case connectionFails
    /// It does what was asked, and the connection breaks before the answer.
    case answerLost
    /// It does what was asked, and the connection breaks in the middle of the answer's body.
    case truncated
    /// The request waits at the gate, and is done then.
    case held(Gate)
    /// It does what was asked, and the answer waits at the gate.
    case answerHeld(Gate)
}

/// What goes back over the connection.
enum ServerReply: Sendable {
    case answer(ServerAnswer)
    /// The first bytes, and then the events as they come.
    case stream(ServerAnswer, AsyncThrowingStream<Data, any Error>)
    /// Half of the body, and the connection breaks.
    case truncated(ServerAnswer)
    /// Nothing: the connection breaks.
    case none
}

/// How a kind of server answers: a function of what it has, and nothing else.
protocol ServerDialect: Sendable {
    func answer(_ request: ServerRequest, _ state: inout ServerState) -> ServerAnswer

    /// What a stream that was opened by a request sends when something has happened.
    func events(for request: ServerRequest, since start: Int, _ state: ServerState) -> [Data]
}

extension ServerDialect {
    func events(for request: ServerRequest, since start: Int, _ state: ServerState) -> [Data] { [] }
}
