/// The keys of what is around the records of a response.
enum EnvelopeNames {
    /// The keys of records.
    static let containers: Set<String> = [
        "data", "results", "result", "items", "records", "rows", "entries", "objects", "list", "hits", "content",
        "values", "value", "payload", "response", "docs", "documents", "d", "body", "_embedded",
    ]
    /// The keys of what is beside records, without case and punctuation.
    private static let companions: Set<String> = [
        "meta", "links", "page", "pages", "pagination", "paging", "next", "previous", "prev", "first",
        "last", "count", "total", "totalcount", "totalpages", "totalresults", "totalitems", "perpage", "pagesize",
        "pagenumber", "currentpage", "limit", "offset", "skip", "take", "cursor", "nextcursor", "nextpage",
        "prevpage", "previouspage", "nextpagetoken", "nexttoken", "hasmore", "hasnext", "more", "size", "number",
        "status", "statuscode", "code", "success", "ok", "message", "error", "errors", "version", "apiversion",
        "timestamp", "took", "maxscore", "jsonapi", "included", "lastpage", "from", "to", "kind", "etag",
        "requestid", "numberofelements", "totalelements", "empty", "sort", "pageable", "incompleteresults",
        "pageinfo", "cnt", "cod",
    ]

    /// What to do if the records of a response are under a key.
    static func helpForList(_ key: String) -> String {
        "Say so where you create the remote: `reads.collections = .wrapped(key: \"\(key)\")` for REST."
    }

    /// Whether a key belongs to the response, and not to a record.
    ///
    /// - Parameter isList: Whether the object says of itself that it is a list: `"object": "list"`.
    static func isCompanion(_ key: String, isList: Bool) -> Bool {
        companions.contains(key.lowercased().filter { $0.isLetter || $0.isNumber }) || key.hasPrefix("@odata.")
            || isList && ["object", "url"].contains(key)
    }
}
