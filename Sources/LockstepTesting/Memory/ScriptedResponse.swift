public import Foundation
public import LockstepStore
public import LockstepSync

/// A scripted response of a remote, instead of its normal one.
public enum ScriptedResponse: Sendable {
    /// The server is unavailable. The request has no effect.
    case unavailable(status: Int = 503, retryAfter: TimeInterval? = nil)
    /// The server permanently rejects the request, which has no effect.
    case refused(status: Int, body: JSONValue = .null)
    /// A change gets this response, and has no effect. A fetch fails as it would with such a response.
    case response(SendResponse)
    /// The server rejects the credentials. The request has no effect.
    case unauthorized
    /// The request never arrives.
    case connectionFails
    /// The server handles the request, and the response is lost.
    case responseLost
    /// The server handles the request, and the response is truncated. The response to a change is lost.
    case truncated
    /// The request fails with this error, and has no effect.
    case fails(SyncError)
    /// The request waits at the gate, and is then handled.
    case held(Gate)
    /// The server handles the request, and the response waits at the gate.
    case responseHeld(Gate)
}

extension ScriptedResponse {
    @available(*, deprecated, renamed: "response(_:)")
    public static func answer(_ response: SendResponse) -> Self { .response(response) }

    @available(*, deprecated, renamed: "responseLost") public static var answerLost: Self { .responseLost }

    @available(*, deprecated, renamed: "responseHeld(_:)")
    public static func answerHeld(_ gate: Gate) -> Self { .responseHeld(gate) }
}

@available(*, deprecated, renamed: "ScriptedResponse")
public typealias ScriptedAnswer = ScriptedResponse

/// The requests that a script is for.
public struct RemoteCallFilter: Sendable {
    let includes: @Sendable (RemoteCall) -> Bool

    public init(_ includes: @escaping @Sendable (RemoteCall) -> Bool) { self.includes = includes }

    public static let all = RemoteCallFilter { _ in true }
    public static let changes = RemoteCallFilter(\.isChange)
    public static let fetches = RemoteCallFilter { $0.kind == .fetch }
    package static let events = RemoteCallFilter { $0.kind == .events }

    /// Requests of one kind, of one collection or of all.
    public static func kind(_ kind: RemoteCall.Kind, path: String? = nil) -> RemoteCallFilter {
        RemoteCallFilter { $0.kind == kind && (path == nil || $0.path == path) }
    }

    public static func path(_ path: String) -> RemoteCallFilter { RemoteCallFilter { $0.path == path } }
}
