/// The speed at which a body arrives, measured in windows of time in which a reader waited for it.
///
/// Time without a reader does not count: a device that is busy merging does not make its server slow.
struct BodySpeed {
    private var windowBytes = 0
    /// How long the reader waited in this window, without the current wait.
    private var waited = Duration.zero
    private var waitingSince: ContinuousClock.Instant?

    /// The result of a check.
    enum Look: Equatable {
        /// There is no limit.
        case unlimited
        case tooSlow
        /// Check again at this time.
        case check(ContinuousClock.Instant)
    }

    mutating func startWaiting(now: ContinuousClock.Instant) { waitingSince = waitingSince ?? now }

    /// The expected bytes have arrived.
    mutating func stopWaiting(_ byteCount: Int, now: ContinuousClock.Instant) {
        windowBytes += byteCount
        if let since = waitingSince { waited += now - since }
        waitingSince = nil
    }

    /// Checks whether enough arrived in the window. If so, another window begins.
    mutating func look(_ limits: HTTPLimits, now: ContinuousClock.Instant) -> Look {
        guard let least = limits.leastBytesPerSecond else { return .unlimited }
        let window = Duration.seconds(limits.speedWindowSeconds)
        let soFar = waited + (waitingSince.map { now - $0 } ?? .zero)
        guard soFar >= window else { return .check(now + (window - soFar)) }
        if Double(windowBytes) < least * limits.speedWindowSeconds { return .tooSlow }
        (windowBytes, waited) = (0, .zero)
        if waitingSince != nil { waitingSince = now }
        return .check(now + window)
    }
}
