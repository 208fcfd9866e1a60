/// The pages of a collection that are read one after the other.
struct PageSeries {
    let entity: String
    /// The maximum number of pages.
    let limit: Int
    /// The next page; `nil` before the first and after the last.
    private(set) var next: String?
    private(set) var isFirst = true
    /// Where the next list of changes begins, according to the pages so far.
    private(set) var watermark: String?
    private var seen: Set<String> = []

    init(entity: String, limit: Int) {
        self.entity = entity
        self.limit = limit
    }

    /// - Parameters:
    ///   - next: The page after one that was read; `nil` if that was the last.
    ///   - watermark: The watermark of the page, if it has one.
    ///   - isCurrent: Whether all pages so far were read by this pull, so that the watermark applies to all of them.
    /// - Throws: `SyncError` if the pages do not end.
    mutating func advance(to next: String?, watermark: String? = nil, isCurrent: Bool = false) throws {
        isFirst = false
        self.next = next
        self.watermark = isCurrent ? watermark ?? self.watermark : nil
        guard let next else { return }
        if !seen.insert(next).inserted || seen.count >= limit { throw endless }
    }

    private var endless: SyncError {
        let isMany = seen.count >= limit
        return SyncError(
            .malformed, entity: entity,
            reason: "the pages of the collection do not end" + (isMany ? " after \(seen.count)" : ""),
            remedy: isMany
                ? "Let the server send larger pages, or raise `PullLimits.pages` of the environment."
                : "Check the server's link to the next page: it leads to a page that was read already.")
    }

    /// The error for `expired` as the response to a request for the whole collection.
    var expired: SyncError {
        SyncError(
            .malformed, entity: entity,
            reason: "the remote responded that a list of changes has expired, but the whole collection was requested",
            remedy: "Return `.expired` only for a request with `since`.")
    }
}
