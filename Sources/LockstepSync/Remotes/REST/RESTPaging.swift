/// How the further pages of a collection are requested. It counts as complete only when its last page was read (rule
/// M7), so each case defines how the last page is recognized.
public enum RESTPaging: Sendable {
    /// There is only one response.
    case none
    /// The response's `Link: <…>; rel="next"` (RFC 8288) is the address of the next page. Without it, or without the
    /// field, the page is the last. The address must be on the same server.
    case link
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

    /// How the last page is recognized.
    public enum End: Sendable, Hashable {
        /// It has no records. This takes an additional request, and is correct even if the server returns fewer records
        /// than requested.
        case emptyPage
        /// It has fewer records than requested. Use this only if the server is known to respect the size: if it returns
        /// fewer on each page, the first would be mistaken for the last.
        case shortPage
    }
}
