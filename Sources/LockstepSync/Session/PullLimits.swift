/// Limits of one pull of a collection. They prevent a server with endless pages from filling the disk.
///
/// ```swift
/// let sync = Sync(store: store, remote: remote, limits: PullLimits(pages: 1_000))
/// ```
///
/// The size of one body is limited by the client: ``/LockstepHTTP/HTTPLimits``.
public struct PullLimits: Sendable, Hashable {
    /// The maximum number of pages of a collection.
    package var pages: Int
    /// The maximum number of bytes of all of its pages.
    package var bytes: Int

    /// Ten million records in pages of a hundred.
    @usableFromInline package static let defaultPages = 100_000
    /// 4 GiB, or 2 GiB if `Int` has 32 bits.
    @usableFromInline package static let defaultBytes = Int(clamping: Int64(4) << 30)

    public init(pages: Int = PullLimits.defaultPages, bytes: Int = PullLimits.defaultBytes) {
        self.pages = pages
        self.bytes = bytes
    }
}
