import Foundation
import HTTPTypes
import LockstepStore

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
    private let parts: Locked<Parts>

    init(method: HTTPRequest.Method, requestText: String, timeouts: HTTPTimeouts) {
        self.requestText = requestText
        self.timeouts = timeouts
        parts = Locked(Parts(state: HTTPExchangeState(isHead: method == .head)))
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
    /// - Throws: ``SyncError`` (`network`, `timeout`), `CancellationError`.
    func piece() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { parts in
                    // A body is read once, by one reader; a second one takes its place.
                    parts.piece?.resume(throwing: CancellationError())
                    parts.piece = continuation
                    parts.state.startWaiting()
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the request, and whatever waits for it.
    func cancel() { end(with: CancellationError()) }

    // MARK: For the session

    func start(_ task: URLSessionDataTask) {
        change { parts in parts.task = task }
        task.resume()
        let watch = Task { [weak self] in
            while let deadline = self?.nextCheck() {
                do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
            }
        }
        // It may be over already.
        let isOver = parts.withLock { parts in
            parts.watch = watch
            return parts.state.ending != nil
        }
        if isOver { watch.cancel() }
    }

    func received(_ response: HTTPURLResponse) { change { $0.state.received(response) } }

    func received(_ data: Data) { change { $0.state.received(data) } }

    /// A part of the request's body went out.
    func sent() { change { $0.state.progressed() } }

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
        // Outside of the lock: on Linux this waits for the session's queue.
        task?.cancel()
    }

    /// Changes the state, then tells whoever waits what has become of it.
    private func change(_ body: (inout Parts) -> Void) {
        let effects = parts.withLock { parts -> [() -> Void] in
            body(&parts)
            var effects: [() -> Void] = []
            if let waiting = parts.head, let result = parts.state.headResult {
                parts.head = nil
                effects.append { waiting.resume(with: result) }
            }
            if let waiting = parts.piece, let result = parts.state.takePiece() {
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
    /// transfer out of libcurl), so what nobody reads is kept in memory there.
    private func pauseOrGoOn(_ parts: inout Parts) {
        #if !canImport(FoundationNetworking)
            guard let task = parts.task, parts.state.isFlowChanging() else { return }
            if parts.state.isPaused { task.suspend() } else { task.resume() }
        #endif
    }

    /// When to look again whether it takes too long; `nil` where it is over, which it may be because of this look.
    private func nextCheck() -> ContinuousClock.Instant? {
        switch parts.withLock({ $0.state.deadline(timeouts) }) {
        case .none: return nil
        case .check(let instant): return instant
        case .expired(let seconds):
            end(
                with: SyncError(
                    .timeout, request: requestText, reason: "nothing came from the server for \(seconds) seconds",
                    remedy: "Try again later, or allow more time."))
            return nil
        }
    }
}
