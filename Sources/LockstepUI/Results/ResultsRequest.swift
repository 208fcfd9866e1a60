import LockstepStore

/// The request of a view, and how its rows are divided into sections. Each initialization of the view makes one.
@MainActor
final class ResultsRequest<Object: Model, Key: Hashable> {
    let request: any ModelRequest<Object>
    /// Surrounds each change of the rows: an animation.
    let surround: ((() -> Void) -> Void)?
    private let make: @MainActor (any ModelRequest<Object>, Store) -> LiveResults<Object, Key>

    init(
        _ request: any ModelRequest<Object>, surround: ((() -> Void) -> Void)?,
        make: @escaping @MainActor (any ModelRequest<Object>, Store) -> LiveResults<Object, Key>
    ) {
        self.request = request
        self.surround = surround
        self.make = make
    }

    /// Results in a store, of this request or another one.
    func results(_ request: (any ModelRequest<Object>)?, in store: Store) -> LiveResults<Object, Key> {
        let results = make(request ?? self.request, store)
        results.surround = surround
        return results
    }
}

extension ResultsRequest where Key == Unsectioned {
    convenience init(_ request: any ModelRequest<Object>, surround: ((() -> Void) -> Void)? = nil) {
        self.init(request, surround: surround) { request, store in store.results(request) }
    }
}

extension ResultsRequest {
    convenience init(
        _ request: any ModelRequest<Object>, sectionedBy key: @escaping (Object) -> Key,
        sectionOrder: ((Key, Key) -> Bool)? = nil, surround: ((() -> Void) -> Void)? = nil
    ) {
        self.init(request, surround: surround) { request, store in
            store.results(request, sectionedBy: key, sectionOrder: sectionOrder)
        }
    }
}
