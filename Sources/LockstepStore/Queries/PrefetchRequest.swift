public import GRDB

/// A request with the relationships that are loaded along with it.
///
/// `prefetch` makes one. It can be refined as the request that it was made of: filtered, ordered, limited.
///
/// ```swift
/// let entries = try context.fetch(Entry.order(\.timestamp.desc).prefetch(\.author).limit(20))
/// ```
public struct PrefetchRequest<Object: Model>: ModelRequest {
    public private(set) var request: QueryInterfaceRequest<Object>
    public let prefetches: [PrefetchPath]

    init(_ request: QueryInterfaceRequest<Object>, _ prefetches: [PrefetchPath]) {
        self.request = request
        self.prefetches = prefetches
    }

    /// Fetches `limit` records, from the one at `offset` on.
    public func limit(_ limit: Int, offset: Int? = nil) -> Self { with(request.limit(limit, offset: offset)) }

    /// Fetches each record once, where a join would give it several times.
    public func distinct() -> Self { with(request.distinct()) }

    private func with(_ request: QueryInterfaceRequest<Object>) -> Self {
        var refined = self
        refined.request = request
        return refined
    }
}

// What GRDB derives from these, `filter { $0.mood == .happy }` and `order(\.timestamp.desc)` among it, works here too.
extension PrefetchRequest: TypedRequest, FilteredRequest, OrderedRequest {
    public typealias RowDecoder = Object

    public func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        with(request.filterWhenConnected(predicate))
    }

    public func orderWhenConnected(
        _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Self {
        with(request.orderWhenConnected(orderings))
    }

    public func reversed() -> Self { with(request.reversed()) }

    public func unordered() -> Self { with(request.unordered()) }

    public func withStableOrder() -> Self { with(request.withStableOrder()) }
}

extension ModelRequest {
    /// The request, with a relationship that is loaded along: one query for all records, however many there are.
    ///
    /// Reading the relationship asks the store nothing then. What it gives is what it would give without: unsaved links
    /// and deletes count. It may be called for several relationships; those that several paths go through are loaded
    /// once.
    ///
    /// ```swift
    /// let entries = try context.fetch(Entry.filter { $0.mood == .happy }.prefetch(\.author).prefetch(\.tags))
    /// ```
    ///
    /// A record holds what was loaded along with it, as it holds the members of a to-many that was read. Two records
    /// that hold each other stay until ``Context/reset()``, or to the end of `store.perform`.
    ///
    /// - Parameter relationship: A relationship of the model, or a path of several: `\.author`, `\.author.employer`.
    public func prefetch<Destination>(
        _ relationship: (Object.Relationships.Type) -> RelationshipHandle<Object, Destination>
    ) -> PrefetchRequest<Object> {
        PrefetchRequest(request, prefetches + [relationship(Object.Relationships.self).path])
    }
}

extension Model {
    /// Every record, with a relationship that is loaded along.
    ///
    /// ```swift
    /// let entries = try context.fetch(Entry.prefetch(\.author))
    /// ```
    ///
    /// - Parameter relationship: A relationship of the model, or a path of several: `\.author`, `\.author.employer`.
    public static func prefetch<Destination>(
        _ relationship: (Relationships.Type) -> RelationshipHandle<Self, Destination>
    ) -> PrefetchRequest<Self> {
        all().prefetch(relationship)
    }
}
