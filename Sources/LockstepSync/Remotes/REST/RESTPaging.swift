/// How a collection goes on behind the records of one answer. It counts as complete only when its last page was read
/// (rule M7), so each way says how that one is known.
public enum RESTPaging: Sendable {
    /// One answer is all.
    case none
    /// The answer's `Link: <…>; rel="next"` (RFC 8288) is the address of the next page; where there is none, it was the
    /// last. An answer without the field is all, too. The address must be on the same server.
    case link
    /// Pages are counted by a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter with the page's number: `page`.
    ///   - size: The parameter with the greatest number of records on a page, and that number; `nil` leaves it to the
    ///     server.
    ///   - first: The number of the first page.
    ///   - end: How the last page is known.
    case pages(
        parameter: String = "page", size: (parameter: String, count: Int)? = nil, first: Int = 1, end: End = .emptyPage)

    /// How the last page is known.
    public enum End: Sendable, Hashable {
        /// It has no records. It costs a request more, and is right where the server gives fewer records than were
        /// asked for.
        case emptyPage
        /// It has fewer records than were asked for. Only for a server that is known to take the size: where it gives
        /// fewer on each page, the first would pass for the last.
        case shortPage
    }
}
