public import LockstepStore
public import Observation

/// Where the rows of a list on screen come from: a request that can change, in the store of the view's environment.
///
/// The property wrapper `Results` has one as its projected value:
///
/// ```swift
/// .task(id: search) { await $entries.load(Entry.filter { $0.title.contains(search) }) }
/// ```
@MainActor @Observable
public final class ResultsSource<Object: Model, Key: Hashable> {
    /// The live results; `nil` if the environment has no store.
    public private(set) var results: LiveResults<Object, Key>?

    @ObservationIgnored private var store: Store?
    @ObservationIgnored private var asked = AskedRequest<Object>()
    @ObservationIgnored private var shownText: RequestText?
    /// The number of calls of ``load(_:)``.
    @ObservationIgnored private var loadCount = 0
    /// The change to the request that the view has asked for last.
    @ObservationIgnored private(set) var change: Task<Void, Never>?

    init() {}

    /// The rows now.
    package var rows: ResultsRows<Object, Key> {
        guard let results else { return ResultsRows([], error: .noStore) }
        return ResultsRows(results.sections, error: results.error)
    }

    /// Shows the records that another request selects, in sections by the same key.
    ///
    /// The previous rows stay until the others have been read. The request is not read if another one is loaded before
    /// that, if the task is cancelled, or if its rows are already shown.
    public func load(_ request: some ModelRequest<Object>) async {
        loadCount += 1
        let number = loadCount
        // While somebody types, each letter is a request.
        await Task.yield()
        guard number == loadCount, !Task.isCancelled else { return }
        asked.loaded = request
        guard let store, let results else { return }
        let text = try? RequestText(request, in: store)
        if let text, text == shownText, results.error == nil { return }
        shownText = text
        results.change(to: request)
    }

    /// Follows a store, and what a view asks for.
    ///
    /// A view that is initialized again has the same request, mostly. If it has another one, that is loaded.
    func follow(_ store: Store?, for request: ResultsRequest<Object, Key>) {
        guard let store else { return end() }
        let isOther = asked.ask(for: request, in: store)
        guard store === self.store, results != nil else { return begin(store, for: request) }
        guard isOther else { return }
        change?.cancel()
        change = Task { [weak self] in await self?.load(request.request) }
    }

    /// Shows another store. Its rows are read at once: those of another account must not stay.
    private func begin(_ store: Store, for request: ResultsRequest<Object, Key>) {
        end()
        self.store = store
        shownText = asked.loaded.flatMap { try? RequestText($0, in: store) } ?? asked.text
        results = request.results(asked.loaded, in: store)
    }

    /// Shows no store.
    private func end() {
        change?.cancel()
        results?.stop()
        store = nil
        if results != nil { results = nil }
    }
}
