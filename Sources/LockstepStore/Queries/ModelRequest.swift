public import GRDB

/// What selects records of one entity: a request of GRDB's query interface, with what is to be loaded along with it.
///
/// `Entry.filter { $0.mood == .happy }` is one, and so is that with `.prefetch(\.author)` behind it.
public protocol ModelRequest<Object> {
    /// The model whose records are selected.
    associatedtype Object: Model

    /// The request without what is to be loaded along with it.
    var request: QueryInterfaceRequest<Object> { get }

    /// The relationships whose records are to be loaded along with it.
    var prefetches: [PrefetchPath] { get }
}

/// Relationships from a model on, one after the other: `["author", "employer"]`.
public struct PrefetchPath: Sendable, Hashable {
    /// The relationships' names in the schema.
    package let names: [String]
}

extension QueryInterfaceRequest: ModelRequest where RowDecoder: Model {
    public typealias Object = RowDecoder
    public var request: QueryInterfaceRequest<RowDecoder> { self }
    public var prefetches: [PrefetchPath] { [] }
}
