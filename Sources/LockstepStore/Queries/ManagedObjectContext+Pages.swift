public import GRDB

/// Some of the records that a request selects, in order, with cursors for the pages before and after them.
public struct Page<Object: Model> {
    /// The page's records.
    public let items: [Object]
    /// Where the next page begins; `nil` if this is the last page.
    public let next: PageCursor?
    /// Where the previous page ends; `nil` if this is the first page.
    public let previous: PageCursor?
}

extension ManagedObjectContext {
    /// Returns a page of the records that a request selects: the first one, or the one after a cursor.
    ///
    /// Pages are based on keys, not on offsets: records that are inserted or deleted in between move no others to
    /// another page, so no record is repeated or skipped, and with an index a late page costs no more than the first.
    ///
    /// ```swift
    /// let first = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50)
    /// let second = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50, after: first.next)
    /// ```
    ///
    /// The record's key is the last sort criterion. The request's own order is ignored, its limit is used. NULL comes
    /// first in an ascending order and last in a descending one. Text is compared by bytes, decimals as numbers with
    /// SQLite's precision (about 15 digits).
    ///
    /// As `fetch(_:)`, it queries the store, and records that are about to be deleted are left out.
    ///
    /// - Parameters:
    ///   - request: The records to page through.
    ///   - orderings: The columns to sort by with `asc` or `desc`, most important first. Use the same for every page of
    ///     a list.
    ///   - size: The maximum number of records, 1 or more.
    ///   - cursor: ``Page/next`` of the previous page; `nil` for the first page.
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `wrongCursor` if the cursor belongs to another entity or
    ///   order.
    public func page<Object: Model>(
        of request: some ModelRequest<Object>,
        sortedBy orderings: [(Object.DatabaseComponents) throws -> AttributeOrdering] = [], size: Int,
        after cursor: PageCursor? = nil
    ) throws -> Page<Object> {
        let order = try PageOrder(
            orderings.map { try $0(Object.databaseComponents) }, plan: Object.entity.plan)
        let slice = try slice(of: request, order: order, size: size, behind: cursor, isReversed: false)
        return Page(
            items: slice.items, next: slice.hasMore ? slice.last : nil, previous: cursor == nil ? nil : slice.first)
    }

    /// Returns the page before a cursor, for going back.
    ///
    /// ```swift
    /// let back = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50, before: page.previous!)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The records to page through.
    ///   - orderings: The columns to sort by, the same as for the following page.
    ///   - size: The maximum number of records, 1 or more.
    ///   - cursor: ``Page/previous`` of the following page.
    /// - Throws: As ``page(of:sortedBy:size:after:)``.
    public func page<Object: Model>(
        of request: some ModelRequest<Object>,
        sortedBy orderings: [(Object.DatabaseComponents) throws -> AttributeOrdering] = [], size: Int,
        before cursor: PageCursor
    ) throws -> Page<Object> {
        let order = try PageOrder(
            orderings.map { try $0(Object.databaseComponents) }, plan: Object.entity.plan)
        let slice = try slice(of: request, order: order, size: size, behind: cursor, isReversed: true)
        return Page(items: slice.items.reversed(), next: slice.first, previous: slice.hasMore ? slice.last : nil)
    }

    private func slice<Object: Model>(
        of request: some ModelRequest<Object>, order: PageOrder, size: Int, behind cursor: PageCursor?, isReversed: Bool
    ) throws -> PageSlice<Object> {
        precondition(size > 0, "The size of a page must be 1 or more.")
        try beginReading()
        let records = records(Object.self)
        // Not with `??`, which GRDB converts to IFNULL.
        var condition: SQL = "1"
        if let cursor { condition = try order.condition(behind: cursor, isReversed: isReversed) }
        let columns = records.plan.columns.indices.map { Self.column($0, of: records.plan) }.joined(separator: ", ")
        let sql: SQL = """
            SELECT \(columns) FROM \(Self.rows(of: request.request)) WHERE \(condition) \
            ORDER BY \(order.sql(isReversed: isReversed))
            """
        // One more to find out whether more follow, and the number of those that are left out.
        var limit = size + 1 + records.deletedObjects.count
        while true {
            let slice = try slice(of: "\(sql) LIMIT \(limit)", records: records, order: order, size: size)
            guard !slice.hasMore, slice.rows == limit else {
                try prefetch(request.prefetches, of: slice.items)
                return slice
            }
            limit *= 2
        }
    }

    private func slice<Object: Model>(
        of sql: SQL, records: TypedRecordMap<Object>, order: PageOrder, size: Int
    ) throws -> PageSlice<Object> {
        var slice = PageSlice<Object>()
        try scan(sql, of: records.plan) { row in
            slice.rows += 1
            let object = records.typedObject(at: row)
            guard object.state != .deleted else { return true }
            guard slice.items.count < size else {
                slice.hasMore = true
                return false
            }
            slice.items.append(object)
            if slice.items.count == 1 { slice.first = order.cursor(at: row) }
            if slice.items.count == size { slice.last = order.cursor(at: row) }
            return true
        }
        return slice
    }
}

/// The records after a cursor, in the order of reading.
private struct PageSlice<Object: Model> {
    var items: [Object] = []
    var first: PageCursor?
    /// The cursor after the last one of a full page.
    var last: PageCursor?
    var hasMore = false
    /// The number of rows that were read.
    var rows = 0
}
