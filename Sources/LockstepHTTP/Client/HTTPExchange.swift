import Dispatch
import Foundation
import HTTPTypes
import LockstepSystem

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response: receives the events of the session's delegate, and returns the head and the pieces.
///
/// ``HTTPExchangeState``, a value, makes the decisions; this class has the effects.
final class HTTPExchange: Sendable {
    private struct Parts {
        var state: HTTPExchangeState
        var task: URLSessionDataTask?
        var head: CheckedContinuation<HTTPURLResponse, any Error>?
        var piece: CheckedContinuation<Data?, any Error>?
        var watch: Task<Void, Never>?
    }

    /// The request, as it appears in errors.
    let requestText: String
    private let timeouts: HTTPTimeouts
    private let limits: HTTPLimits
    private let watch: HTTPWatch
    private let parts: Locked<Parts>

    init(
        method: HTTPRequest.Method, requestText: String, timeouts: HTTPTimeouts, limits: HTTPLimits, watch: HTTPWatch
    ) {
        self.requestText = requestText
        self.timeouts = timeouts
        self.limits = limits
        self.watch = watch
        parts = Locked(Parts(state: HTTPExchangeState(isHead: method == .head, limits: limits, now: watch.now())))
    }

    // MARK: Interface to the client

    /// Waits for the head of the response.
    ///
    /// - Throws: ``SyncError`` (`network`, `timeout`), `CancellationError`.
    func head() async throws -> HTTPURLResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { parts in parts.head = continuation }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Waits for the next piece of the body; `nil` if it is complete.
    ///
    /// - Throws: ``SyncError`` (`network`, `timeout`, or `malformed` if it is too large), `CancellationError`.
    func piece() async throws -> Data? {
        // Otherwise, pieces that have arrived already would still be read.
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { [now = watch.now()] parts in
                    // A body is read once, by one reader. A second reader replaces the first.
                    parts.piece?.resume(throwing: CancellationError())
                    parts.piece = continuation
                    parts.state.startWaiting(now: now)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the request, and resumes what waits for it.
    func cancel() { end(with: CancellationError()) }

    // MARK: Interface to the session

    /// Starts the task, unless the exchange has ended before.
    func start(_ task: URLSessionDataTask) {
        let isOver = parts.withLock { parts in
            parts.task = task
            return parts.state.ending != nil
        }
        if isOver { task.cancel() } else { task.resume() }
    }

    /// Starts watching the time limits.
    func startWatch() {
        let watching = Task { [weak self, watch] in
            while let deadline = self?.nextCheck() {
                do { try await watch.sleep(deadline) } catch { return }
            }
        }
        // It may have ended already.
        let isOver = parts.withLock { parts in
            parts.watch = watching
            return parts.state.ending != nil
        }
        if isOver { watching.cancel() }
    }

    func received(_ response: HTTPURLResponse) {
        change { [now = watch.now()] in $0.state.received(response, now: now) }
    }

    func received(_ data: Data) {
        var problem: SyncError?
        change { [now = watch.now(), requestText] in
            problem = $0.state.received(data, request: requestText, now: now)
        }
        if let problem { end(with: problem) }
    }

    /// A part of the request's body was sent.
    func sent() { change { [now = watch.now()] in $0.state.progressed(now: now) } }

    /// The task has ended, successfully or not. `response` is the task's response, if it was not reported before.
    func completed(_ response: HTTPURLResponse?, error: (any Error)?) {
        let failure = error.map { HTTPFailure.error(for: $0, request: requestText) }
        change { $0.state.completed(response, error: failure, request: requestText) }
    }

    /// Responds to a callback of the session, which is not allowed after the task was cancelled.
    func respond(_ action: () -> Void) {
        parts.withLock { parts in if parts.state.ending == nil { action() } }
    }

    // MARK: Effects

    private func end(with error: any Error) {
        let task = parts.withLock { parts in parts.state.end(with: error) ? parts.task : nil }
        change { _ in }
        if let task { HTTPSession.call { task.cancel() } }
    }

    /// Changes the state, then resumes what waits for the result.
    private func change(_ body: (inout Parts) -> Void) {
        let now = watch.now()
        let effects = parts.withLock { parts -> [() -> Void] in
            body(&parts)
            var effects: [() -> Void] = []
            if let waiting = parts.head, let result = parts.state.headResult {
                parts.head = nil
                effects.append { waiting.resume(with: result) }
            }
            if let waiting = parts.piece, let result = parts.state.takePiece(now: now) {
                parts.piece = nil
                effects.append { waiting.resume(with: result) }
            }
            if parts.state.ending != nil, let watch = parts.watch {
                parts.watch = nil
                effects.append { watch.cancel() }
            }
            pauseOrGoOn(&parts)
            return effects
        }
        for effect in effects { effect() }
    }

    /// Pauses the transfer while there is no reader.
    ///
    /// On Linux, a suspended task starts over when it is resumed (`URLSessionTask.suspend` removes the transfer from
    /// libcurl), and blocking one session blocks all. There, unread bytes are written to a file (``UnreadBytes``),
    /// whose size is limited.
    private func pauseOrGoOn(_ parts: inout Parts) {
        #if !canImport(FoundationNetworking)
            guard let task = parts.task, parts.state.isFlowChanging() else { return }
            if parts.state.isPaused { task.suspend() } else { task.resume() }
        #endif
    }

    /// The time of the next check of the time limits; `nil` if the exchange has ended, which this check may cause.
    private func nextCheck() -> ContinuousClock.Instant? {
        let now = watch.now()
        let (deadline, speed) = parts.withLock { parts in
            (parts.state.deadline(timeouts, now: now), parts.state.lookAtSpeed(now: now))
        }
        switch (deadline, speed) {
        case (.expired(let seconds), _):
            end(
                with: SyncError(
                    .timeout, request: requestText, reason: "nothing came from the server for \(seconds) seconds",
                    remedy: "Try again later, or increase the timeouts."))
            return nil
        case (_, .tooSlow):
            end(with: tooSlow)
            return nil
        case (.none, .unlimited): return nil
        case (.none, .check(let instant)): return isOver ? nil : instant
        case (.check(let instant), .unlimited): return instant
        case (.check(let instant), .check(let other)): return min(instant, other)
        }
    }

    private var isOver: Bool { parts.withLock { $0.state.ending != nil } }

    private var tooSlow: SyncError {
        let (least, seconds) = (limits.leastBytesPerSecond ?? 0, limits.speedWindowSeconds)
        return SyncError(
            .timeout, request: requestText,
            reason: "less than \(least) bytes a second came from the server for \(seconds) seconds",
            remedy: "Try again later, or lower the client's `limits.leastBytesPerSecond`.")
    }
}
