/// How much one pull of a collection may bring: what keeps a server whose pages never end from filling the disk.
///
/// ```swift
/// let sync = Sync(store: store, remote: remote, limits: PullLimits(pages: 1_000))
/// ```
///
/// What one body may be is the client's concern: ``/LockstepHTTP/HTTPLimits``.
public struct PullLimits: Sendable, Hashable {
    /// How many pages a collection may have.
    public var pages: Int
    /// How many bytes all of its pages may have together.
    public var bytes: Int

    /// Ten million records in pages of a hundred.
    public static let defaultPages = 100_000
    /// 4 GiB.
    public static let defaultBytes = 4 << 30

    public init(pages: Int = PullLimits.defaultPages, bytes: Int = PullLimits.defaultBytes) {
        self.pages = pages
        self.bytes = bytes
    }
}
