public import LockstepTables

/// How the further pages of a collection are requested. It counts as complete only when its last page was read (rule
/// M7), so each case defines how the last page is recognized.
///
/// The number of pages of one collection is limited by `PullLimits(pages:)`.
public enum RESTPaging: Sendable {
    /// There is only one response.
    case none
    /// The response's `Link: <…>; rel="next"` (RFC 8288) is the address of the next page. Without it, or without the
    /// field, the page is the last. The address must be on the same server.
    case link
    /// The address of the next page is in the body: `{"data": […], "links": {"next": "/articles?page=2"}}`. It may be
    /// an object with the address under `href`. The address must be on the same server. `null`, `false` and an empty
    /// text mean that the page is the last.
    ///
    /// - Parameters:
    ///   - in: The keys that lead to the address.
    ///   - ifMissing: What it means if a page lacks the member.
    case nextLink(in: WirePath, ifMissing: MissingNext = .malformed)
    /// The body contains a value for a parameter of the next request: `{"data": […], "next_cursor": "bz01"}`, then
    /// `?cursor=bz01`. `null`, `false` and an empty text mean that the page is the last.
    ///
    /// - Parameters:
    ///   - in: The keys that lead to the value, a text or a whole number.
    ///   - parameter: The parameter of the next request.
    ///   - size: The parameter with the maximum number of records on a page, and that number; `nil` for the server's
    ///     default.
    ///   - ifMissing: What it means if a page lacks the member.
    case cursor(
        in: WirePath, parameter: String, size: (parameter: String, count: Int)? = nil,
        ifMissing: MissingNext = .malformed)
    /// Pages are numbered by a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter with the page's number: `page`.
    ///   - size: The parameter with the maximum number of records on a page, and that number; `nil` for the server's
    ///     default.
    ///   - first: The number of the first page.
    ///   - end: How the last page is recognized.
    case pages(
        parameter: String = "page", size: (parameter: String, count: Int)? = nil, first: Int = 1, end: End = .emptyPage)
    /// Pages begin after a number of records: `?offset=100&limit=100`. The next offset counts the records that were
    /// received, so a server that sends fewer than requested skips none. The server must sort the records in an order
    /// that does not change.
    ///
    /// - Parameters:
    ///   - parameter: The parameter with the number of records before the page: `offset`.
    ///   - limit: The parameter with the maximum number of records on a page, and that number; `nil` for the server's
    ///     default.
    ///   - end: How the last page is recognized.
    case offset(
        parameter: String = "offset", limit: (parameter: String, count: Int)? = nil, end: End = .emptyPage)

    /// How the last page is recognized.
    public enum End: Sendable, Hashable {
        /// It has no records. This takes an additional request, and is correct even if the server returns fewer records
        /// than requested.
        case emptyPage
        /// It has fewer records than requested. Use this only if the server is known to respect the size: if it returns
        /// fewer on each page, the first would be mistaken for the last.
        case shortPage
    }

    /// The meaning of a page that lacks the member that names the next one.
    public enum MissingNext: Sendable, Hashable {
        /// The response is malformed: with a path that is wrong, the first page would be mistaken for the last, and
        /// records on the others would be deleted.
        case malformed
        /// The page is the last, as for a server that omits the member there. Check the path.
        case lastPage
    }
}
