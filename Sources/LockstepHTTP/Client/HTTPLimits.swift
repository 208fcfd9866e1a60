/// Limits of the size and the speed of a body. They prevent an endless response from using up the device's memory and
/// disk, or a sync's time.
///
/// ```swift
/// let client = URLSessionClient(limits: HTTPLimits(bodyBytes: 64 << 20))
/// ```
///
/// Requests for a stream of events (`Accept: text/event-stream`) may last for ever. They have the limits of
/// ``EventStreamLimits`` instead.
public struct HTTPLimits: Sendable, Hashable {
    /// The maximum number of bytes of a body after decompression: 2 MB of gzip may be 2 GB. `nil`: no limit.
    package var bodyBytes: Int?
    /// The minimum number of bytes per second on average, while a reader waits for them. `nil`: no limit.
    package var leastBytesPerSecond: Double?
    /// The period for measuring the speed, in seconds. A body that is complete before is never too slow.
    package var speedWindowSeconds: Double

    /// The maximum number of unread bytes of a body without limit, if the server cannot be made to wait, as on Linux.
    /// They are stored in a temporary file.
    package var unreadBytes: Int

    /// 1 GiB: about ten million small records.
    @usableFromInline package static let defaultBodyBytes = 1 << 30
    /// Less than the slowest mobile network transfers. A server that sends less keeps the connection open on purpose.
    @usableFromInline package static let defaultLeastBytesPerSecond = 64.0
    /// The same as the other time limits: a short interruption does not make a server slow.
    @usableFromInline package static let defaultSpeedWindowSeconds = 60.0

    /// 64 MiB: the same as the longest event of a stream.
    @usableFromInline package static let defaultUnreadBytes = 64 << 20

    public init(
        bodyBytes: Int? = HTTPLimits.defaultBodyBytes,
        leastBytesPerSecond: Double? = HTTPLimits.defaultLeastBytesPerSecond,
        speedWindowSeconds: Double = HTTPLimits.defaultSpeedWindowSeconds,
        unreadBytes: Int = HTTPLimits.defaultUnreadBytes
    ) {
        self.bodyBytes = bodyBytes
        self.leastBytesPerSecond = leastBytesPerSecond
        self.speedWindowSeconds = speedWindowSeconds
        self.unreadBytes = unreadBytes
    }

    /// The same limits for a body that may last for ever, at any speed.
    package var withoutEnd: HTTPLimits {
        var limits = self
        limits.bodyBytes = nil
        limits.leastBytesPerSecond = nil
        return limits
    }

    /// The number of bytes of the body of this task's requests, if it is known. It may exceed the limit for other
    /// bodies.
    @TaskLocal package static var knownBodyBytes: Int?
}

/// Limits of the lines and the events of a stream, which are in memory as a whole before they are parsed.
public struct EventStreamLimits: Sendable, Hashable {
    /// The maximum number of bytes of a line that is not data: a name, an ID or a comment.
    package var lineBytes: Int
    /// The maximum number of bytes of the data of an event: all of its lines. Also of everything else that precedes the
    /// event, such as comments.
    package var eventBytes: Int

    /// 1 MiB. Such lines are short.
    @usableFromInline package static let defaultLineBytes = 1 << 20
    /// 64 MiB. The first event of a Firebase stream is the complete collection in one line of data.
    @usableFromInline package static let defaultEventBytes = 64 << 20

    public init(
        lineBytes: Int = EventStreamLimits.defaultLineBytes, eventBytes: Int = EventStreamLimits.defaultEventBytes
    ) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}
