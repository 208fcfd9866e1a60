import Foundation
import LockstepStore
import LockstepSync

extension MemoryRemote {
    /// Answers the next request so, of those that are meant. What was said for the same request earlier comes first.
    ///
    /// - Parameters:
    ///   - answer: What it is answered, or how it fails.
    ///   - filter: Which requests are meant.
    ///   - times: How many of them are answered so.
    public func answerNext(_ answer: ScriptedAnswer, to filter: RemoteCallFilter = .all, times: Int = 1) {
        state.withLock { state in
            for _ in 0..<times { state.scripts.append((filter, answer)) }
        }
    }

    /// Forgets what was said about requests that have not come.
    public func clearScripts() { state.withLock { $0.scripts = [] } }

    /// Lets a request arrive: does what a test wants before the server acts.
    ///
    /// - Throws: The failure that the test wants.
    func stand(_ call: Int) async throws -> Script {
        guard let answer = state.withLock({ $0.takeScript(for: call) }) else { return Script() }
        let isChange = state.withLock { $0.call(call)?.isChange } ?? false
        switch answer {
        case .held(let gate):
            try await gate.pass()
            return Script()
        case .answerHeld(let gate): return Script(gate: gate)
        case .answerLost: return Script(isLost: true)
        case .truncated: return Script(isTruncated: true)
        case .connectionFails:
            throw SyncError(.network, reason: "the connection failed", remedy: "Try again when there is one.")
        case .fails(let error): throw error
        case .unauthorized:
            throw SyncError(
                .unauthorized, reason: "the server wants other credentials", remedy: "Give it a fresh token.")
        case .unavailable(let status, let retryAfter):
            return try Script.answering(.unavailable(status: status, retryAfter: retryAfter), isChange: isChange)
        case .refused(let status, let body):
            return try Script.answering(.refused(status: status, body: body.json()), isChange: isChange)
        case .answer(let response): return try Script.answering(response, isChange: isChange)
        }
    }

    /// Does what a test wants after the server has acted.
    func standAfter(_ script: Script) async throws {
        if script.isLost { throw SyncError.lostConnection(reading: "the answer") }
        try await script.gate?.pass()
    }
}

/// What a test wants of one request.
struct Script: Sendable {
    var response: SendResponse?
    var isLost = false
    var isTruncated = false
    var gate: Gate?

    /// A change is answered; a fetch, which has no such answers, fails.
    static func answering(_ response: SendResponse, isChange: Bool) throws -> Script {
        if isChange { return Script(response: response) }
        switch response {
        case .unavailable(let status, _):
            throw SyncError(
                .unavailable(status: status), reason: "the server answered \(status)", remedy: "Try again later.")
        case .refused(let status, _):
            throw SyncError(
                .refused(status: status), reason: "the server answered \(status)", remedy: "Ask for something else.")
        case .absent:
            throw SyncError(.notFound, reason: "the server answered 404", remedy: "Ask for something else.")
        case .accepted, .outdated: return Script()
        }
    }
}

extension SyncError {
    static func lostConnection(reading what: String) -> SyncError {
        SyncError(.network, reason: "the connection broke before \(what) came", remedy: "Try again.")
    }
}

extension SendResponse {
    var outcome: String {
        switch self {
        case .accepted: "accepted"
        case .absent: "absent"
        case .outdated: "outdated"
        case .refused(let status, _): "refused \(status)"
        case .unavailable(let status, _): "unavailable \(status)"
        }
    }
}

extension HTTPBody {
    /// Half of the bytes, and then a connection that breaks.
    static func brokenOff(_ data: Data) -> HTTPBody {
        HTTPBody(
            AsyncThrowingStream { continuation in
                continuation.yield(data.prefix(data.count / 2))
                continuation.finish(throwing: SyncError.lostConnection(reading: "the end of the body"))
            })
    }
}
