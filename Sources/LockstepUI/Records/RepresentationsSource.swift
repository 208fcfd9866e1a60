public import LockstepStore
public import Observation

/// Where values on screen come from: the records that a request selects, in the store of the view's environment.
@MainActor @Observable
public final class RepresentationsSource<Object: Model> {
    /// The values now.
    public private(set) var values: [Object.Representation] = []

    /// Why the values may be out of date: they could not be read, or the environment has no store. The values after the
    /// next change that can be read clear it.
    public private(set) var error: (any Error)? = StoreError.noStore

    /// Surrounds each change of the values: an animation.
    @ObservationIgnored var surround: ((() -> Void) -> Void)?
    @ObservationIgnored private var store: Store?
    @ObservationIgnored private var asked = AskedRequest<Object>()
    @ObservationIgnored private let reading = CancelledTask()

    init() {}

    /// Shows the records that another request selects. The previous values stay until the others have been read.
    public func load(_ request: some ModelRequest<Object>) {
        asked.loaded = request
        if let store { read(request, in: store) }
    }

    /// Follows a store, and what a view asks for.
    func follow(_ store: Store?, for request: ResultsRequest<Object, Unsectioned>) {
        let isOtherStore = store !== self.store
        self.store = store
        guard let store else {
            if isOtherStore { (reading.task, values, error) = (nil, [], StoreError.noStore) }
            return
        }
        let isOther = asked.ask(for: request, in: store)
        guard isOther || isOtherStore else { return }
        let shown = asked.loaded ?? request.request
        // The first ones are read at once, so that there is no empty frame.
        if isOtherStore { begin(shown, in: store) }
        read(shown, in: store)
    }

    private func read(_ request: some ModelRequest<Object>, in store: Store) {
        let results = store.liveRepresentationResults(request)
        reading.task = Task { [weak self] in
            // A stream still has its latest value when its task is cancelled.
            for await result in results where !Task.isCancelled { self?.show(result) }
        }
    }

    private func begin(_ request: some ModelRequest<Object>, in store: Store) {
        do { (values, error) = (try store.mainContext.representations(request), nil) } catch {
            (values, self.error) = ([], error)
        }
    }

    private func show(_ result: Result<[Object.Representation], any Error>) {
        let values: [Object.Representation]
        do { values = try result.get() } catch { return self.error = error }
        if error != nil { error = nil }
        guard values != self.values else { return }
        if let surround { surround { self.values = values } } else { self.values = values }
    }
}
