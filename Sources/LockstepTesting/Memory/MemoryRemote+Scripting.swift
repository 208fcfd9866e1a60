import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

extension MemoryRemote {
    /// Scripts the response to the next matching request. Earlier scripts for the same request are used first.
    ///
    /// - Parameters:
    ///   - response: The response, or the failure.
    ///   - filter: The requests that match.
    ///   - times: The number of requests that get this response.
    public func respondNext(_ response: ScriptedResponse, to filter: RemoteCallFilter = .all, times: Int = 1) {
        state.withLock { state in
            for _ in 0..<times { state.scripts.append((filter, response)) }
        }
    }

    @available(*, deprecated, renamed: "respondNext(_:to:times:)")
    public func answerNext(_ response: ScriptedResponse, to filter: RemoteCallFilter = .all, times: Int = 1) {
        respondNext(response, to: filter, times: times)
    }

    /// Removes the scripts that have not been used.
    public func clearScripts() { state.withLock { $0.scripts = [] } }

    /// Receives a request: does what a script requires before the server handles it.
    ///
    /// - Throws: The scripted failure.
    func stand(_ call: Int) async throws -> Script {
        guard let scripted = state.withLock({ $0.takeScript(for: call) }) else { return Script() }
        let isChange = state.withLock { $0.call(call)?.isChange } ?? false
        switch scripted {
        case .held(let gate):
            try await gate.pass()
            return Script()
        case .responseHeld(let gate): return Script(gate: gate)
        case .responseLost: return Script(isLost: true)
        case .truncated: return Script(isTruncated: true)
        case .connectionFails:
            throw SyncError(.network, reason: "the connection failed", remedy: "Try again when there is a connection.")
        case .fails(let error): throw error
        case .unauthorized:
            throw SyncError(
                .unauthorized, reason: "the server rejects the credentials", remedy: "Send a fresh token.")
        case .unavailable(let status, let retryAfter):
            return try Script.responding(.unavailable(status: status, retryAfter: retryAfter), isChange: isChange)
        case .refused(let status, let body):
            return try Script.responding(.refused(status: status, body: body.json()), isChange: isChange)
        case .response(let response): return try Script.responding(response, isChange: isChange)
        }
    }

    /// Does what a script requires after the server has handled the request.
    func standAfter(_ script: Script) async throws {
        if script.isLost { throw SyncError.lostConnection(reading: "the response") }
        try await script.gate?.pass()
    }
}

/// The script for one request.
struct Script: Sendable {
    var response: SendResponse?
    var isLost = false
    var isTruncated = false
    var gate: Gate?

    /// A change gets a response; a fetch, which has no such responses, fails.
    static func responding(_ response: SendResponse, isChange: Bool) throws -> Script {
        if isChange { return Script(response: response) }
        switch response {
        case .unavailable(let status, let retryAfter):
            throw SyncError(
                .unavailable(status: status), reason: "the server responded with \(status)", remedy: "Try again later.",
                retryAfter: retryAfter)
        case .refused(let status, _):
            throw SyncError(
                .refused(status: status), reason: "the server responded with \(status)", remedy: "Change the request.")
        case .absent:
            throw SyncError(.notFound, reason: "the server responded with 404", remedy: "Change the request.")
        case .accepted, .outdated: return Script()
        }
    }
}

extension SyncError {
    static func lostConnection(reading what: String) -> SyncError {
        SyncError(.network, reason: "the connection broke before \(what) arrived", remedy: "Try again.")
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
    /// Half of the bytes, and then a broken connection.
    static func brokenOff(_ data: Data) -> HTTPBody {
        HTTPBody(
            AsyncThrowingStream { continuation in
                continuation.yield(data.prefix(data.count / 2))
                continuation.finish(throwing: SyncError.lostConnection(reading: "the end of the body"))
            })
    }
}
