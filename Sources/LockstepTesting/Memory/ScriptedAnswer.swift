public import Foundation
public import LockstepStore
public import LockstepSync

/// What a remote does with a request instead of what it would.
public enum ScriptedAnswer: Sendable {
    /// It cannot answer now, and does nothing.
    case unavailable(status: Int = 503, retryAfter: TimeInterval? = nil)
    /// It will never do it, and does nothing.
    case refused(status: Int, body: JSONValue = .null)
    /// A change is answered so, and does nothing. A fetch fails as it would have with such an answer.
    case answer(SendResponse)
    /// It wants other credentials, and does nothing.
    case unauthorized
    /// The request never arrives.
    case connectionFails
    /// It does what was asked, and the answer is lost.
    case answerLost
    /// It does what was asked, and the answer breaks off in the middle; that of a change is lost.
    case truncated
    /// It fails with this error, and does nothing.
    case fails(SyncError)
    /// The request waits at the gate, and is done then.
    case held(Gate)
    /// It does what was asked, and the answer waits at the gate.
    case answerHeld(Gate)
}

/// Which requests are meant.
public struct RemoteCallFilter: Sendable {
    let includes: @Sendable (RemoteCall) -> Bool

    public init(_ includes: @escaping @Sendable (RemoteCall) -> Bool) { self.includes = includes }

    public static let all = RemoteCallFilter { _ in true }
    public static let changes = RemoteCallFilter(\.isChange)
    public static let fetches = RemoteCallFilter { $0.kind == .fetch }
    public static let events = RemoteCallFilter { $0.kind == .events }

    /// Requests of one kind, of one collection or of all.
    public static func kind(_ kind: RemoteCall.Kind, path: String? = nil) -> RemoteCallFilter {
        RemoteCallFilter { $0.kind == kind && (path == nil || $0.path == path) }
    }

    public static func path(_ path: String) -> RemoteCallFilter { RemoteCallFilter { $0.path == path } }
}
