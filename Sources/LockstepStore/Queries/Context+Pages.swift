public import GRDB

/// Some of the records that a request selects, in order, with the places before and behind them.
public struct Page<Object: Model> {
    /// The page's records.
    public let items: [Object]
    /// Where the next page begins; `nil` where nothing came behind this one.
    public let next: PageCursor?
    /// Where the page before this one ends; `nil` where nothing came before.
    public let previous: PageCursor?
}

extension Context {
    /// A page of the records that a request selects: the first one, or the one behind a cursor.
    ///
    /// Pages go by key, not by offset: records that are inserted or deleted in between move no others to another page,
    /// so that none is shown twice or passed over, and a page far down costs no more than the first where there is an
    /// index.
    ///
    /// ```swift
    /// let first = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50)
    /// let second = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50, after: first.next)
    /// ```
    ///
    /// The key is what records are sorted by last; an order of the request itself does not count, its limit does. NULL
    /// comes first in an ascending order and last in a descending one. Texts are compared by their bytes, decimals by
    /// number as far as SQLite tells them apart (some 15 digits).
    ///
    /// As for `fetch(_:)`, the store is asked, and records that are about to be deleted are left out.
    ///
    /// - Parameters:
    ///   - request: What is paged.
    ///   - orderings: The columns to sort by with `asc` or `desc`, most important first. Every page of one list is
    ///     asked for with the same.
    ///   - size: The number of records at most, 1 or more.
    ///   - cursor: ``Page/next`` of the page before; `nil` for the first page.
    /// - Throws: `StoreError` as `fetch(_:)`; with the code `wrongCursor` where the cursor is of another entity or
    ///   order.
    public func page<Object: Model>(
        of request: some ModelRequest<Object>,
        sortedBy orderings: [(Object.DatabaseComponents) throws -> AttributeOrdering] = [], size: Int,
        after cursor: PageCursor? = nil
    ) throws -> Page<Object> {
        let order = try PageOrder(
            orderings.map { try $0(Object.databaseComponents) }, Object.entity.plan)
        let slice = try slice(of: request, order, size, behind: cursor, isReversed: false)
        return Page(
            items: slice.items, next: slice.hasMore ? slice.last : nil, previous: cursor == nil ? nil : slice.first)
    }

    /// The page before a cursor, for going back.
    ///
    /// ```swift
    /// let back = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50, before: page.previous!)
    /// ```
    ///
    /// - Parameters:
    ///   - request: What is paged.
    ///   - orderings: The columns to sort by, the same as for the page behind.
    ///   - size: The number of records at most, 1 or more.
    ///   - cursor: ``Page/previous`` of the page behind.
    /// - Throws: As ``page(of:sortedBy:size:after:)``.
    public func page<Object: Model>(
        of request: some ModelRequest<Object>,
        sortedBy orderings: [(Object.DatabaseComponents) throws -> AttributeOrdering] = [], size: Int,
        before cursor: PageCursor
    ) throws -> Page<Object> {
        let order = try PageOrder(
            orderings.map { try $0(Object.databaseComponents) }, Object.entity.plan)
        let slice = try slice(of: request, order, size, behind: cursor, isReversed: true)
        return Page(items: slice.items.reversed(), next: slice.first, previous: slice.hasMore ? slice.last : nil)
    }

    private func slice<Object: Model>(
        of request: some ModelRequest<Object>, _ order: PageOrder, _ size: Int, behind cursor: PageCursor?,
        isReversed: Bool
    ) throws -> PageSlice<Object> {
        precondition(size > 0, "A page has one record or more.")
        try beginReading()
        let records = records(Object.self)
        // Not with `??`, which GRDB makes an IFNULL of.
        var condition: SQL = "1"
        if let cursor { condition = try order.condition(behind: cursor, isReversed: isReversed) }
        let columns = records.plan.columns.indices.map { Self.column($0, records.plan) }.joined(separator: ", ")
        let sql: SQL = """
            SELECT \(columns) FROM \(Self.rows(of: request.request)) WHERE \(condition) \
            ORDER BY \(order.sql(isReversed: isReversed))
            """
        // One more, to know whether more follow, and those that are left out.
        var limit = size + 1 + records.deletedObjects.count
        while true {
            let slice = try slice(of: "\(sql) LIMIT \(limit)", records, order, size)
            guard !slice.hasMore, slice.rows == limit else {
                try prefetch(request.prefetches, of: slice.items)
                return slice
            }
            limit *= 2
        }
    }

    private func slice<Object: Model>(
        of sql: SQL, _ records: TypedRecordMap<Object>, _ order: PageOrder, _ size: Int
    ) throws -> PageSlice<Object> {
        var slice = PageSlice<Object>()
        try scan(sql, records.plan) { row in
            slice.rows += 1
            let object = records.typedObject(at: row)
            guard object.recordState != .deleted else { return true }
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

/// The records behind a cursor, in the order of looking.
private struct PageSlice<Object: Model> {
    var items: [Object] = []
    var first: PageCursor?
    /// Behind the last one of a full page.
    var last: PageCursor?
    var hasMore = false
    /// How many rows were looked at.
    var rows = 0
}
