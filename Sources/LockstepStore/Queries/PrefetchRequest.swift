public import GRDB

/// A request with prefetched relationships.
///
/// `prefetch` creates it. It can be refined like the original request: filtered, ordered, limited.
///
/// ```swift
/// let entries = try context.fetch(Entry.order(\.timestamp.desc).prefetch(\.author).limit(20))
/// ```
public struct PrefetchRequest<Object: Model>: ModelRequest {
    @_spi(Requirements) public private(set) var request: QueryInterfaceRequest<Object>
    @_spi(Requirements) public let prefetches: [PrefetchPath]

    init(_ request: QueryInterfaceRequest<Object>, prefetches: [PrefetchPath]) {
        self.request = request
        self.prefetches = prefetches
    }

    /// Fetches `limit` records, starting at `offset`.
    public func limit(_ limit: Int, offset: Int? = nil) -> Self { with(request.limit(limit, offset: offset)) }

    /// Fetches each record once, even if a join returns it several times.
    public func distinct() -> Self { with(request.distinct()) }

    private func with(_ request: QueryInterfaceRequest<Object>) -> Self {
        var refined = self
        refined.request = request
        return refined
    }
}

// What GRDB derives from these, including `filter { $0.mood == .happy }` and `order(\.timestamp.desc)`, is available
// too.
extension PrefetchRequest: TypedRequest, FilteredRequest, OrderedRequest {
    public typealias RowDecoder = Object

    @_spi(Requirements) public func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        with(request.filterWhenConnected(predicate))
    }

    @_spi(Requirements) public func orderWhenConnected(
        _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Self {
        with(request.orderWhenConnected(orderings))
    }

    @_spi(Requirements) public func reversed() -> Self { with(request.reversed()) }

    @_spi(Requirements) public func unordered() -> Self { with(request.unordered()) }

    @_spi(Requirements) public func withStableOrder() -> Self { with(request.withStableOrder()) }
}

extension ModelRequest {
    /// Prefetches a relationship: one query for all records, however many there are.
    ///
    /// Reading the relationship does not query the store then. The result is the same as without prefetching, including
    /// unsaved links and deletes. Call it for several relationships if needed; those that several paths share are
    /// loaded once.
    ///
    /// ```swift
    /// let entries = try context.fetch(Entry.filter { $0.mood == .happy }.prefetch(\.author).prefetch(\.tags))
    /// ```
    ///
    /// A record keeps its prefetched records alive, as it does with the members of a to-many that was read. Two records
    /// that keep each other alive stay until ``ManagedObjectContext/reset()``, or until the end of `store.perform`.
    ///
    /// - Parameter relationship: A relationship of the model, or a path of several: `\.author`, `\.author.employer`.
    public func prefetch<Destination>(
        _ relationship: (Object.Relationships.Type) -> RelationshipHandle<Object, Destination>
    ) -> PrefetchRequest<Object> {
        PrefetchRequest(request, prefetches: prefetches + [relationship(Object.Relationships.self).path])
    }
}

extension Model {
    /// Selects every record, with a prefetched relationship.
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
