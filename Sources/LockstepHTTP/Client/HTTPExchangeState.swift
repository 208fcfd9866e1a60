import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The progress of a request and its response. It decides; ``HTTPExchange`` has the effects.
struct HTTPExchangeState {
    enum Ending {
        case complete
        case failed(any Error)
    }

    /// When a time limit is exceeded.
    enum Deadline: Equatable {
        /// There is nothing to watch any more.
        case none
        /// Check again at this time.
        case check(ContinuousClock.Instant)
        /// The limit is exceeded: nothing has arrived for this time.
        case expired(seconds: Double)
    }

    /// The number of unread bytes from which the transfer is paused, if it can be.
    static let fullBytes = 1 << 20

    private let isHead: Bool
    private let limits: HTTPLimits
    private var speed = BodySpeed()
    private(set) var head: HTTPURLResponse?
    private(set) var ending: Ending?
    /// Whether the transfer should pause, because there is no reader.
    private(set) var isPaused = false

    private var unread = UnreadBytes()
    private var expectedBytes: Int64?
    private var receivedBytes: Int64 = 0
    private var isWaiting = false
    private var progressedAt: ContinuousClock.Instant

    /// - Parameter isHead: Whether the request is a HEAD, whose response has no body, whatever its length field says.
    init(isHead: Bool, limits: HTTPLimits = HTTPLimits().withoutEnd, now: ContinuousClock.Instant = .now) {
        self.isHead = isHead
        self.limits = limits
        progressedAt = now
    }

    // MARK: Events

    /// An interim response (RFC 9110, 15.2) is read past: the result follows. It is no progress either, because a
    /// server may send any number of them.
    mutating func received(_ response: HTTPURLResponse, now: ContinuousClock.Instant = .now) {
        guard ending == nil, head == nil, !(100..<200).contains(response.statusCode) else { return }
        head = response
        expectedBytes = Self.bodyLength(of: response, isHead: isHead)
        progressedAt = now
    }

    /// - Returns: The error that ends the request if it has sent too much.
    @discardableResult
    mutating func received(
        _ data: Data, request: String = "", now: ContinuousClock.Instant = .now
    ) -> SyncError? {
        guard ending == nil else { return nil }
        if let limit = limits.bodyBytes, receivedBytes + Int64(data.count) > Int64(limit) {
            return HTTPFailure.tooLarge(request: request, limit: limit)
        }
        if limits.bodyBytes == nil, unread.count + data.count > limits.unreadBytes {
            return HTTPFailure.tooFast(request: request, limit: limits.unreadBytes)
        }
        do { try unread.append(data) } catch { return HTTPFailure.cannotKeep(request: request, error: error) }
        receivedBytes += Int64(data.count)
        progressedAt = now
        return nil
    }

    mutating func progressed(now: ContinuousClock.Instant = .now) { progressedAt = now }

    /// The transfer has ended. `response` is its head, if that was not reported before.
    mutating func completed(_ response: HTTPURLResponse?, error: (any Error)?, request: String) {
        guard ending == nil else { return }
        if let error {
            ending = .failed(error)
            return
        }
        if let response { received(response) }
        if head == nil {
            ending = .failed(HTTPFailure.noResponse(to: request))
        } else if let expectedBytes, receivedBytes < expectedBytes {
            ending = .failed(HTTPFailure.truncated(request: request, received: receivedBytes, of: expectedBytes))
        } else {
            ending = .complete
        }
    }

    /// Ends it from this side. Unread bytes are discarded if there is no reader.
    ///
    /// - Returns: Whether it had not ended before.
    mutating func end(with error: any Error) -> Bool {
        let wasRunning = ending == nil
        if error is CancellationError {
            unread = UnreadBytes()
            ending = .failed(error)
        } else if wasRunning {
            ending = .failed(error)
        }
        return wasRunning
    }

    // MARK: Results

    /// The head, or the error; `nil` while neither is known.
    var headResult: Result<HTTPURLResponse, any Error>? {
        if case .failed(let error as CancellationError) = ending { return .failure(error) }
        if let head { return .success(head) }
        if case .failed(let error) = ending { return .failure(error) }
        return nil
    }

    mutating func startWaiting(now: ContinuousClock.Instant = .now) {
        isWaiting = true
        progressedAt = now
        speed.startWaiting(now: now)
    }

    /// Returns what has arrived since the last piece, or the end; `nil` while there is neither.
    mutating func takePiece(now: ContinuousClock.Instant = .now) -> Result<Data?, any Error>? {
        do {
            if let piece = try unread.take() {
                isWaiting = false
                speed.stopWaiting(piece.count, now: now)
                return .success(piece)
            }
        } catch {
            return .failure(error)
        }
        switch ending {
        case .complete: return .success(nil)
        case .failed(let error): return .failure(error)
        case nil: return nil
        }
    }

    /// Whether the transfer is to be paused or resumed now: it is paused if there are many unread bytes, and resumed if
    /// there are none.
    mutating func isFlowChanging() -> Bool {
        guard ending == nil else { return false }
        let shouldPause = isPaused ? !unread.isEmpty : unread.count >= Self.fullBytes
        defer { isPaused = shouldPause }
        return shouldPause != isPaused
    }

    /// When the time limit is exceeded. Time in which nothing waits for the body does not count.
    func deadline(_ timeouts: HTTPTimeouts, now: ContinuousClock.Instant = .now) -> Deadline {
        if ending != nil { return .none }
        let limit = head == nil ? timeouts.responseSeconds : timeouts.idleSeconds
        // The body may be paused in between, so check often enough to notice it.
        let nextLook = timeouts.idleSeconds.map { now + .seconds($0) }
        guard let limit, head == nil || isWaiting else { return nextLook.map { .check($0) } ?? .none }
        let end = progressedAt + .seconds(limit)
        return end > now ? .check(min(end, nextLook ?? end)) : .expired(seconds: limit)
    }

    /// Whether the body arrives too slowly.
    mutating func lookAtSpeed(now: ContinuousClock.Instant = .now) -> BodySpeed.Look {
        ending == nil && head != nil ? speed.look(limits, now: now) : .check(now + .seconds(limits.speedWindowSeconds))
    }

    /// The length of the body; `nil` if the response does not contain it, or contains the length before decompression.
    private static func bodyLength(of response: HTTPURLResponse, isHead: Bool) -> Int64? {
        guard !isHead, ![204, 304].contains(response.statusCode),
            response.value(forHTTPHeaderField: "Content-Encoding") == nil,
            response.value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            let length = response.value(forHTTPHeaderField: "Content-Length")
        else { return nil }
        return Int64(length)
    }
}
