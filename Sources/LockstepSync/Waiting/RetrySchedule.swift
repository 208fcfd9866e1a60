public import Foundation

/// When something that failed for now is tried again (rule P7): exponentially later, with full jitter, up to a maximum.
///
/// The delay before attempt n + 1 is a random part of `baseSeconds` · 2ⁿ⁻¹, so that devices that lost one server do not
/// all come back at once. What the server says itself (`Retry-After`) counts instead. Source: Brooker, “Exponential
/// Backoff And Jitter”, AWS Architecture Blog, 2015.
public struct RetrySchedule: Sendable, Hashable {
    /// The longest first delay, in seconds.
    public var baseSeconds: TimeInterval
    /// The longest delay of all, in seconds.
    public var maximumSeconds: TimeInterval
    /// How often one call of `push` tries while the server cannot be reached, before it gives up and throws. What is
    /// left stays in the outbox.
    public var attemptsPerPush: Int

    /// The longest `Retry-After` that is followed, in seconds. A longer one counts as this. What is read from an answer
    /// is one day at most, so that a server's typing mistake stops no app for ever.
    public var maximumRetryAfterSeconds: TimeInterval

    /// One day.
    public static let defaultMaximumRetryAfterSeconds: TimeInterval = RetryAfter.maximumSeconds

    public init(
        baseSeconds: TimeInterval = 1, maximumSeconds: TimeInterval = 300, attemptsPerPush: Int = 4,
        maximumRetryAfterSeconds: TimeInterval = RetrySchedule.defaultMaximumRetryAfterSeconds
    ) {
        self.baseSeconds = baseSeconds
        self.maximumSeconds = maximumSeconds
        self.attemptsPerPush = attemptsPerPush
        self.maximumRetryAfterSeconds = maximumRetryAfterSeconds
    }

    /// The delay in seconds.
    ///
    /// - Parameters:
    ///   - attempts: How often it has been tried, 1 or more.
    ///   - retryAfter: What the server said, in seconds. What is no number says nothing, and what is past is now.
    ///   - random: A number from 0 up to 1.
    public func delaySeconds(after attempts: Int, retryAfter: TimeInterval? = nil, random: Double) -> TimeInterval {
        if let retryAfter, !retryAfter.isNaN { return min(max(retryAfter, 0), maximumRetryAfterSeconds) }
        // 2⁶² seconds are beyond any maximum.
        let ceiling = min(maximumSeconds, baseSeconds * pow(2, Double(min(max(attempts, 1) - 1, 62))))
        return ceiling * random
    }
}
