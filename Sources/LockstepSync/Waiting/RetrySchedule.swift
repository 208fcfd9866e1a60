public import Foundation

/// When a temporary failure is retried (rule P7): with exponential backoff and full jitter, up to a maximum.
///
/// The delay before attempt n + 1 is a random part of `baseSeconds` · 2ⁿ⁻¹, so that devices that lost the same server
/// do not all return at once. The server's own time (`Retry-After`) takes precedence. Source: Brooker, “Exponential
/// Backoff And Jitter”, AWS Architecture Blog, 2015.
public struct RetrySchedule: Sendable, Hashable {
    /// The longest first delay, in seconds.
    package var baseSeconds: TimeInterval
    /// The longest delay, in seconds.
    package var maximumSeconds: TimeInterval
    /// How often one call of `push` tries while the server cannot be reached, before it throws. Remaining changes stay
    /// in the outbox.
    package var attemptsPerPush: Int

    /// The longest accepted `Retry-After`, in seconds. A longer one is reduced to this. A value read from a response is
    /// limited to one day, so that a server's error does not stop an app for ever.
    package var maximumRetryAfterSeconds: TimeInterval

    /// The longest wait inside one call of `push`, in seconds. If the next attempt is later, because the server has
    /// asked to wait longer, the call ends: what remains is sent by a later call, or by `run`.
    package var maximumPushWaitSeconds: TimeInterval

    /// The longest delay of all, in seconds. A stored one that is longer is over (rule P7).
    var longestSeconds: TimeInterval { max(maximumSeconds, maximumRetryAfterSeconds) }

    /// Five minutes.
    @usableFromInline package static let defaultMaximumPushWaitSeconds: TimeInterval = 300

    /// One day.
    @usableFromInline package static let defaultMaximumRetryAfterSeconds: TimeInterval = RetryAfter.maximumSeconds

    public init(
        baseSeconds: TimeInterval = 1, maximumSeconds: TimeInterval = 300, attemptsPerPush: Int = 4,
        maximumRetryAfterSeconds: TimeInterval = RetrySchedule.defaultMaximumRetryAfterSeconds,
        maximumPushWaitSeconds: TimeInterval = RetrySchedule.defaultMaximumPushWaitSeconds
    ) {
        self.baseSeconds = baseSeconds
        self.maximumSeconds = maximumSeconds
        self.attemptsPerPush = attemptsPerPush
        self.maximumRetryAfterSeconds = maximumRetryAfterSeconds
        self.maximumPushWaitSeconds = maximumPushWaitSeconds
    }

    /// Returns the delay in seconds.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, 1 or more.
    ///   - retryAfter: The server's delay in seconds. A value that is not a number is ignored; a negative one means
    ///     now.
    ///   - random: A number from 0 up to 1.
    package func delaySeconds(after attempts: Int, retryAfter: TimeInterval? = nil, random: Double) -> TimeInterval {
        if let retryAfter, !retryAfter.isNaN { return min(max(retryAfter, 0), maximumRetryAfterSeconds) }
        // 2⁶² seconds exceed any maximum.
        let ceiling = min(maximumSeconds, baseSeconds * pow(2, Double(min(max(attempts, 1) - 1, 62))))
        return ceiling * random
    }
}
