/// How large a body may be, and how slowly it may come: what keeps a server that never ends from taking the device's
/// memory and disk, or a sync's time.
///
/// ```swift
/// let client = URLSessionClient(limits: HTTPLimits(bodyBytes: 64 << 20))
/// ```
///
/// What a request asks for as a stream of events (`Accept: text/event-stream`) may go on for ever: it has the limits of
/// ``EventStreamLimits`` instead.
public struct HTTPLimits: Sendable, Hashable {
    /// How many bytes a body may have, counted after it was unpacked: 2 MB of gzip may be 2 GB. `nil`: any number.
    public var bodyBytes: Int?
    /// How many bytes a second must come on average, while somebody waits for them. `nil`: any number.
    public var leastBytesPerSecond: Double?
    /// How long, in seconds, is looked at to tell that. What is complete before is never too slow.
    public var speedWindowSeconds: Double

    /// How many bytes of a body without such a size may wait to be read, where the server cannot be made to wait: on
    /// Linux. They are in a temporary file.
    public var unreadBytes: Int

    /// 1 GiB: some ten million small records.
    public static let defaultBodyBytes = 1 << 30
    /// Less than the slowest mobile network has; who sends less keeps the connection open on purpose.
    public static let defaultLeastBytesPerSecond = 64.0
    /// As long as the other time limits: a connection that is lost for a moment is no slow server.
    public static let defaultSpeedWindowSeconds = 60.0

    /// 64 MiB: as long as the longest event of a stream.
    public static let defaultUnreadBytes = 64 << 20

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

    /// The same for what may go on for ever, as slowly as it wants.
    public var withoutEnd: HTTPLimits {
        var limits = self
        limits.bodyBytes = nil
        limits.leastBytesPerSecond = nil
        return limits
    }

    /// What requests of this task have, whatever client sends them and however often it is wrapped; `nil`: what the
    /// client has.
    @TaskLocal public static var current: HTTPLimits?

    /// How many bytes the body of this task's requests has, where that is known: it may be more than others may have.
    @TaskLocal package static var knownBodyBytes: Int?
}

/// How long the lines and the events of a stream may be. They are in memory as a whole before they are read.
public struct EventStreamLimits: Sendable, Hashable {
    /// How many bytes a line may have.
    public var lineBytes: Int
    /// How many bytes the data of an event may have: all of its lines.
    public var eventBytes: Int

    /// 64 MiB. The first event of a Firebase stream is the whole collection, in one line.
    public static let defaultLineBytes = 64 << 20
    public static let defaultEventBytes = 64 << 20

    public init(
        lineBytes: Int = EventStreamLimits.defaultLineBytes, eventBytes: Int = EventStreamLimits.defaultEventBytes
    ) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}
