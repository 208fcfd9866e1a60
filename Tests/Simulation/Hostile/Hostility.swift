/// What a server may do to whoever talks to it, on purpose or by a fault.
public enum Hostility: String, CaseIterable, Sendable {
    /// Streams of events that never end, each of which says that there is nothing.
    case events
    /// A line of an event stream that never ends: of no field, and of data.
    case line
    case dataLine = "data-line"
    /// An event stream that never completes an event: lines of data, comments, identities.
    case data, comments, ids
    /// A body that never ends: it is one long list.
    case body
    /// A body that is gigabytes when it is unpacked.
    case gzip
    /// A byte now and then, for ever.
    case drip
    /// Each page names another one.
    case pages
    /// Each page names itself.
    case samePage = "same-page"
    /// Each address redirects to another one.
    case redirects
    /// `Retry-After: 99999999999`.
    case retryAfter = "retry-after"
    /// A body in chunks that break their rules.
    case chunks
    /// A body of records that are all wrong.
    case wrong
    /// Ten million records, with whole numbers for identities.
    case records
    /// A quarter of that, with UUIDs.
    case uuids
    /// A quarter, with identities that the server makes beside those of the device.
    case remoteIdentities = "remote-identities"
    /// A quarter, in a file.
    case file
}

/// How much of everything there is: enough to see that nothing grows, or just enough to see that it ends.
public struct Extent: Sendable {
    /// The limit of a body, and the size of what is below it.
    public var bodyBytes: Int
    /// The limit of a line of events, and of an event.
    public var lineBytes: Int
    public var eventBytes: Int
    public var pages: Int
    /// How much is sent of what has no end, before the server falls silent; `nil` for ever.
    public var floodBytes: Int?
    /// How long is looked at to find a server too slow.
    public var speedWindowSeconds: Double

    /// What apps have without saying anything, but for pages and waiting times.
    public static let full = Extent(
        bodyBytes: 1 << 30, lineBytes: 1 << 20, eventBytes: 64 << 20, pages: 20_000, floodBytes: nil,
        speedWindowSeconds: 5)
    public static let small = Extent(
        bodyBytes: 1 << 20, lineBytes: 1 << 16, eventBytes: 1 << 18, pages: 30, floodBytes: 4 << 20,
        speedWindowSeconds: 60)

    public init(
        bodyBytes: Int, lineBytes: Int, eventBytes: Int, pages: Int, floodBytes: Int?, speedWindowSeconds: Double
    ) {
        self.bodyBytes = bodyBytes
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
        self.pages = pages
        self.floodBytes = floodBytes
        self.speedWindowSeconds = speedWindowSeconds
    }
}
