public import GRDB

/// Selects records of one entity: a request of GRDB's query interface, and the relationships to prefetch.
///
/// `Entry.filter { $0.mood == .happy }` is one, and so is the same with `.prefetch(\.author)` appended.
public protocol ModelRequest<Object> {
    /// The model whose records are selected.
    associatedtype Object: Model

    /// The request without prefetched relationships.
    var request: QueryInterfaceRequest<Object> { get }

    /// The relationships whose records are prefetched.
    var prefetches: [PrefetchPath] { get }
}

/// A path of relationships from a model: `["author", "employer"]`.
public struct PrefetchPath: Sendable, Hashable {
    /// The relationships' names in the schema.
    package let names: [String]
}

extension QueryInterfaceRequest: ModelRequest where RowDecoder: Model {
    public typealias Object = RowDecoder
    @_spi(Requirements) public var request: QueryInterfaceRequest<RowDecoder> { self }
    @_spi(Requirements) public var prefetches: [PrefetchPath] { [] }
}
