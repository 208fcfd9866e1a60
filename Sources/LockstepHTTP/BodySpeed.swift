/// How fast a body comes, looked at in windows of time in which somebody waited for it.
///
/// Time in which nobody reads does not count: a device that is busy merging does not make its server slow.
struct BodySpeed {
    private var windowBytes = 0
    /// How long it was waited for in this window, apart from the wait that goes on.
    private var waited = Duration.zero
    private var waitingSince: ContinuousClock.Instant?

    /// What a look at it shows.
    enum Look: Equatable {
        /// Nothing is asked for.
        case unlimited
        case tooSlow
        /// Nothing can be said before then.
        case check(ContinuousClock.Instant)
    }

    mutating func startWaiting(now: ContinuousClock.Instant) { waitingSince = waitingSince ?? now }

    /// What was waited for has come.
    mutating func stopWaiting(_ byteCount: Int, now: ContinuousClock.Instant) {
        windowBytes += byteCount
        if let since = waitingSince { waited += now - since }
        waitingSince = nil
    }

    /// Whether enough came in the window, which is followed by another one where it did.
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
