import LockstepStore

/// The request to show: what a view has asked for last, or what was loaded since.
@MainActor
struct AskedRequest<Object: Model> {
    /// The request that was loaded since the view has asked; `nil` to show the one that it has asked for.
    var loaded: (any ModelRequest<Object>)?
    /// How the view's request differs from others.
    private(set) var text: RequestText?
    /// The ``ResultsRequest`` of the view.
    private var request: AnyObject?

    /// Notes what a view asks for. A view that is initialized again has the same request, mostly.
    ///
    /// - Returns: Whether it is another one than before. Then what was loaded is not shown any more.
    mutating func ask<Key>(for request: ResultsRequest<Object, Key>, in store: Store) -> Bool {
        // The body was evaluated again.
        guard request !== self.request else { return false }
        let text = try? RequestText(request.request, in: store)
        let isOther = self.request != nil && text != self.text
        (self.request, self.text) = (request, text)
        if isOther { loaded = nil }
        return isOther
    }
}
