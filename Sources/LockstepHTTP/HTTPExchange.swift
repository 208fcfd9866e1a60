import Dispatch
import Foundation
import HTTPTypes
import LockstepSystem

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer: what the session's delegate reports goes in, the head and the pieces come out.
///
/// What happens is decided by ``HTTPExchangeState``, a value; here it is done.
final class HTTPExchange: Sendable {
    private struct Parts {
        var state: HTTPExchangeState
        var task: URLSessionDataTask?
        var head: CheckedContinuation<HTTPURLResponse, any Error>?
        var piece: CheckedContinuation<Data?, any Error>?
        var watch: Task<Void, Never>?
    }

    /// The request, as errors show it.
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

    // MARK: For whoever asked

    /// Waits for the head of the answer.
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

    /// Waits for the next piece of the body; `nil` where it is complete.
    ///
    /// - Throws: ``SyncError`` (`network`, `timeout`, `malformed` where it is too large), `CancellationError`.
    func piece() async throws -> Data? {
        // Pieces that are here already would else be read on and on.
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { [now = watch.now()] parts in
                    // A body is read once, by one reader; a second one takes its place.
                    parts.piece?.resume(throwing: CancellationError())
                    parts.piece = continuation
                    parts.state.startWaiting(now: now)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the request, and whatever waits for it.
    func cancel() { end(with: CancellationError()) }

    // MARK: For the session

    /// Has the task sent, unless it is over before that.
    func start(_ task: URLSessionDataTask) {
        let isOver = parts.withLock { parts in
            parts.task = task
            return parts.state.ending != nil
        }
        if isOver { task.cancel() } else { task.resume() }
    }

    /// Sees to it that it ends in time.
    func startWatch() {
        let watching = Task { [weak self, watch] in
            while let deadline = self?.nextCheck() {
                do { try await watch.sleep(deadline) } catch { return }
            }
        }
        // It may be over already.
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

    /// A part of the request's body went out.
    func sent() { change { [now = watch.now()] in $0.state.progressed(now: now) } }

    /// The task is over, well or not. `response` is what it has, should it not have been reported.
    func completed(_ response: HTTPURLResponse?, error: (any Error)?) {
        let failure = error.map { HTTPFailure.error(for: $0, request: requestText) }
        change { $0.state.completed(response, error: failure, request: requestText) }
    }

    /// Answers a question of the session's that must not be answered once the task is cancelled.
    func answer(_ action: () -> Void) {
        parts.withLock { parts in if parts.state.ending == nil { action() } }
    }

    // MARK: Doing

    private func end(with error: any Error) {
        let task = parts.withLock { parts in parts.state.end(with: error) ? parts.task : nil }
        change { _ in }
        if let task { HTTPSession.call { task.cancel() } }
    }

    /// Changes the state, then tells whoever waits what has become of it.
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

    /// Lets the server wait while nobody reads.
    ///
    /// On Linux a suspended task begins again from the start when it is resumed (`URLSessionTask.suspend` takes the
    /// transfer out of libcurl), and whoever keeps one session from receiving keeps all: what nobody reads is kept in a
    /// file there (``UnreadBytes``), and has a limit.
    private func pauseOrGoOn(_ parts: inout Parts) {
        #if !canImport(FoundationNetworking)
            guard let task = parts.task, parts.state.isFlowChanging() else { return }
            if parts.state.isPaused { task.suspend() } else { task.resume() }
        #endif
    }

    /// When to look again whether it takes too long; `nil` where it is over, which it may be because of this look.
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
                    remedy: "Try again later, or allow more time."))
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
